import { Anchor } from '@mantine/core';

/** A link that calls the number; its spaces and brackets are only for reading. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <Anchor inherit c="inherit" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
    {phone}
  </Anchor>
);

/** Encoded, because customers type addresses: `?` would add headers to the mail. */
export const EmailLink = ({ email }: { email: string }) => (
  <Anchor inherit c="inherit" href={`mailto:${encodeURIComponent(email)}`}>
    {email}
  </Anchor>
);
