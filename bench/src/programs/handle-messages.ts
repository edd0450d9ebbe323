/** Runs `handle` for each message of the parent process and sends back the result. */
export function handleMessages<Message, Result>(handle: (message: Message) => Promise<Result>) {
  process.on('message', (message: Message) => {
    handle(message).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.stack }),
    );
  });
  process.on('disconnect', () => process.exit());
}
