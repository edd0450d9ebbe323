export default {
  title: 'Mails about new orders',
  text: 'At most one a minute for each store, with all orders since the last one. Sent to {{email}}.',
  label: 'Mail me about new orders of {{store}}',
};
