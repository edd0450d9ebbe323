export default {
  forgotText: 'We mail you a link to choose a new one.',
  send: 'Send the link',
  sentTitle: 'Check your mail',
  sentText:
    'If there is an account with the address {{email}}, a link is on its way. It is valid for one hour. Look into the spam folder too.',
  toSignIn: 'Back to sign-in',
  off: 'This server sends no mails. Ask your administrator to set a new password.',
  resetTitle: 'Choose a new password',
  resetText: 'You will be signed out in all browsers.',
  hint: 'At least 8 characters.',
  save: 'Save password',
  doneTitle: 'Your password was changed',
  doneText: 'Sign in with the new password.',
  invalidTitle: 'This link does not work',
  again: 'Ask for a new link',
};
