import { readFile } from 'node:fs/promises'
import type { Resource } from '@partner-payments/spec/behaviour'
import { type BehaviourInput, deliveryList } from './behaviour-pages.ts'
import { type Contract, type Event, eventPath, eventsOf, listMarks } from './contract.ts'
import { fieldList, fieldsOfOperation } from './fields.ts'
import { beside, endpoint, section } from './operation-pages.ts'
import { assumptions, include, jsonBlock, paragraphs, prose, table } from './text.ts'

/**
 * The pages of all events, and their index.
 *
 * @param contract The contract in which `inline` has replaced each `$ref` by its target.
 */
export async function eventPages(contract: Contract, input: BehaviourInput) {
  const file = new URL('../home/event.md', import.meta.url)
  const { behaviour } = input
  const shared = await include(await readFile(file, 'utf8'), file, { contract, behaviour })
  const pages = eventsOf(contract).map((event) => ({
    path: eventPath(event.path).slice(1),
    title: event.path,
    summary: `${event.summary}: its payload, when it is sent, and how to verify and try it.`,
    section: 'events',
    options: { aside: false, outline: false, pageClass: 'wide' },
    text: eventPage(event, input, shared),
  }))
  return [indexPage(contract, input), ...pages]
}

/** The index of the events: each with what it is sent after, and the rules of deliveries. */
function indexPage(contract: Contract, input: BehaviourInput) {
  const rows = eventsOf(contract).map(({ path, summary, item }) => [
    `{{event:${path}}}`,
    `${summary}. ${assumptions(listMarks(item))}`,
  ])
  const summary =
    'What the service sends to your webhooks, and when: the payload of each event, the order and the retries.'
  const text = paragraphs(
    table(`# Events\n\n${summary}`, ['Event', 'Sent after'], rows),
    `## Webhook retries and signatures\n\n${deliveryList(input)}`,
    '[Webhooks](/guides/webhooks.md) says how to register a URL, and has complete receivers.',
  )
  return {
    path: 'events/index.md',
    title: 'All events',
    summary,
    section: 'events',
    text,
  }
}

/**
 * The page of one event as Markdown: when it is sent, its payload, and how to verify it.
 *
 * @param shared What the pages of all events end with, in which `[event]` and `[deliveries]` stand
 * for the name of the event and the rules of deliveries.
 */
function eventPage(event: Event, input: BehaviourInput, shared: string): string {
  const { path, summary, description, item } = event
  const { parameters, request } = fieldsOfOperation(event)
  const example = event.request?.examples[0]
  return paragraphs(
    `# ${summary} <small>${path}</small>`,
    endpoint('POST', 'the URL of your webhook'),
    `${prose(description)} ${assumptions(listMarks(item))}`,
    `## When it is sent\n\n${describeCauses(path, input)}`,
    '## Payload',
    beside([fieldList(request, ['', 'may be missing'])], [jsonBlock(example?.value)]),
    section('Headers', parameters, ['', 'may be missing']),
    shared.replaceAll('[event]', path).replace('[deliveries]', deliveryList(input)),
  )
}

/**
 * When an event is sent, as Markdown: the transitions of resources that it follows, and the
 * webhooks that receive it.
 */
function describeCauses(name: string, { behaviour }: BehaviourInput): string {
  const { events = {}, resources = {} } = behaviour
  const causes = Object.entries(resources).flatMap(([id, resource]) =>
    listTransitions(name, id, resource),
  )
  const { subscribers = [], receiver } = events[name] ?? {}
  const types = subscribers.map((type) => `\`${type}\``).join(' and ')
  return paragraphs(
    causes.join('\n'),
    receiver === 'beneficiary' && OF_BENEFICIARY,
    `Active webhooks of the types ${types} receive it. {{assumption:webhook-types}}`,
  )
}

/**
 * The transitions of a resource that the event follows, as items of a list, such as "**settle**:
 * Transfer moves from `pending` to `settled`."
 */
function listTransitions(event: string, id: string, { title, states = {} }: Resource): string[] {
  const items: string[] = []
  for (const [from, state] of Object.entries(states)) {
    for (const [action, transition] of Object.entries(state.on ?? {})) {
      if (!transition.events?.includes(event)) continue
      const question = transition.question ?? state.question ?? 'event-kinds'
      items.push(
        `- **${action}**: [${title}](/behaviour/${id}.md) moves from \`${from}\` to \`${transition.to}\`. {{assumption:${question}}}`,
      )
    }
  }
  return items
}

const OF_BENEFICIARY =
  'It goes to the partner whose account was credited, whoever paid, and from whatever institution. {{assumption:event-kinds}}'
