import { type Html, heading, html } from '../http/html.ts';
import type { Reference } from './document.ts';
import { guides } from './guides.ts';
import { introduction } from './introduction.ts';
import { block, type LinkGroup, layout, REFERENCE_PATH, type Topic } from './layout.ts';
import { operationBlock } from './operation.ts';
import { webhooks } from './webhooks.ts';

const topicLinks = (title: string, topics: readonly Topic[]): LinkGroup => ({
  title,
  links: topics.map(({ id, title: text }) => ({ href: `#${id}`, text })),
});

const topicBlock = ({ id, title, text, code }: Topic) => block(html`${heading(3, id, title)}${text}`, code);

const chapter = (id: string, title: string, lead: string, blocks: readonly Html[]) => html`<div class="chapter">
${heading(2, id, title)}
<p class="lead">${lead}</p>
${blocks}</div>
`;

export function referencePage(reference: Reference): Html {
  const { info, groups } = reference;
  const parts = {
    start: introduction(reference),
    guides: guides(reference),
    webhooks: webhooks(reference),
  };
  const seen = new Set<string>();
  const operations = groups.map(({ id, name, description, operations }) =>
    chapter(
      id,
      name,
      description,
      operations.map((operation) => operationBlock(reference, operation, seen)),
    ),
  );
  return layout({
    title: `${info.title} reference`,
    current: REFERENCE_PATH,
    groups: [
      topicLinks('Introduction', parts.start),
      topicLinks('Guides', parts.guides),
      ...groups.map(({ name, operations }) => ({
        title: name,
        links: operations.map(({ operationId, summary, method }) => ({
          href: `#${operationId}`,
          text: summary,
          method,
        })),
      })),
      topicLinks('Webhooks', parts.webhooks),
    ],
    body: html`<h1>${info.title}</h1>
<p class="lead">${info.description}</p>
<p class="version">Version ${info.version}</p>
${chapter('introduction', 'Introduction', 'Applies to every request.', parts.start.map(topicBlock))}
${chapter('guides', 'Guides', 'Common tasks, step by step.', parts.guides.map(topicBlock))}
${operations}
${chapter('webhooks', 'Webhooks', 'The service notifies your endpoint within seconds of a change.', parts.webhooks.map(topicBlock))}`,
  });
}
