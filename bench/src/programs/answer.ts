/** Does what the parent asks, one question after another, and sends back what came of it. */
export function answerParent<Question, Result>(work: (question: Question) => Promise<Result>) {
  process.on('message', (question: Question) => {
    work(question).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.stack }),
    );
  });
  process.on('disconnect', () => process.exit());
}
