import type { Behaviour, Refusal, Resource, Source, State } from '@partner-payments/spec/behaviour'
import { parse } from 'iso8601-duration'
import { stateDiagram } from './state-diagram.ts'
import { factMark, jsonBlock, paragraphs, prose, table } from './text.ts'

/**
 * What the pages of resources and errors are made of; `facts` are the statements of the document.
 */
export interface BehaviourInput {
  readonly behaviour: Behaviour
  readonly facts: readonly { readonly id: string; readonly section: string }[]
}

/**
 * The mark of a statement's source: the mark of its open question, or the section of the document
 * that states it. `inherited` is the source of what is around it, where it names none of its own.
 */
type MarkOf = (source: Source, inherited?: Source) => string

function marker({ facts }: BehaviourInput): MarkOf {
  return (own, inherited = {}) => {
    const { fact, question } = own.fact || own.question ? own : inherited
    if (question) return `{{assumption:${question}}}`
    return fact ? factMark(facts.find(({ id }) => id === fact)?.section ?? fact) : ''
  }
}

/**
 * The page of one resource as Markdown: what can be done with it, its states, and the rules that
 * hold for it.
 */
export function resourcePage(name: string, resource: Resource, input: BehaviourInput): string {
  const { events = {}, refusals = {} } = input.behaviour
  const { title, summary, operations } = resource
  const mark = marker(input)
  const own = new Set(Object.values(operations))
  const rules = bullets(rulesOf(resource, input.behaviour, mark))
  const roles = Object.entries(operations).map(([role, id]) => [role, `{{operation:${id}}}`])
  const eventRows = Object.entries(events)
    .filter(([, it]) => it.resource.includes(name))
    .map(([event, it]) => [`{{event:${event}}}`, `${it.says} ${mark(it)}`, codes(it.subscribers)])
  const refusalRows = Object.entries(refusals).flatMap(([code, refusal]) => {
    const { when, responses = [] } = refusal
    const all = responses.flatMap((it) => it.operations)
    const by = all.filter((it) => own.has(it))
    // A code that more operations share is one of all.
    return by.length > 0 && all.length <= 9
      ? [[`{{error:${code}}}`, `${prose(when)} ${mark(refusal)}`, calls(by, ', ')]]
      : []
  })
  return paragraphs(
    `# ${title}\n\n${summary} ${mark(resource)}`,
    table('## Operations', ['Action', 'Operation'], roles),
    statesSection(resource, mark),
    rules && `## Rules\n\n${rules}`,
    table('## Events', ['Event', 'When', 'Webhooks of type'], eventRows),
    table('## Refusals', ['Code', 'When', 'Returned by'], refusalRows),
    refusalRows.length > 0 && '[Other errors](/behaviour/errors.md) can come from any operation.',
  )
}

function statesSection(resource: Resource, mark: MarkOf): string {
  const { title, states = {}, status, initial = [] } = resource
  const name = title.charAt(0).toLowerCase() + title.slice(1)
  const starts = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    initial.map((it) => `\`${it}\``),
  )
  const intro = [
    status && `${fields([status])} shows the state.`,
    starts && `A new ${name} is ${starts}. ${mark(states[initial[0] ?? ''] ?? {}, resource)}`,
  ]
  if (Object.keys(states).length === 0) return ''
  return paragraphs(
    `## States of ${/^[aeio]/.test(name) ? 'an' : 'a'} ${name} {#states}`,
    intro.filter(Boolean).join(' '),
    stateDiagram(resource),
    Object.entries(states).map(([state, it]) =>
      stateText(state, it, (own) => mark(own, (it.fact ?? it.question) ? it : resource)),
    ),
  )
}

function stateText(name: string, state: State, mark: (source: Source) => string): string {
  const actions = Object.entries(state.on ?? {}).map(([action, it]) => {
    const { to, refusal, event } = it
    if (refusal) return `- **${action}**: refused with {{error:${refusal}}} ${mark(it)}`
    const result = to === name ? 'changes nothing' : `becomes \`${to}\``
    return `- **${action}**: ${result}${event ? `, and the event {{event:${event}}} is delivered` : ''} ${mark(it)}`
  })
  return paragraphs(`### ${name}`, `${state.meaning} ${mark(state)}`, actions.join('\n'))
}

/** How any event is delivered, as a list. */
export function deliveryList(input: BehaviourInput): string {
  return bullets(deliveryRules(input.behaviour, marker(input)))
}

/** The rules of a resource, each with its mark. */
function rulesOf(resource: Resource, behaviour: Behaviour, mark: MarkOf): (string | undefined)[] {
  const { ownership, shownOnce, unique = {}, defaults = {}, operations } = resource
  const { lists = {}, oneTimeValues = {}, copies = {} } = behaviour
  const { order, filters, ...list } = lists[operations.list ?? ''] ?? {}
  const own = new Set(Object.values(operations))
  const isOwn = ({ from, to }: { from: readonly string[]; to: string }) =>
    [...from, to].some((place) => own.has(place.split('#')[0] ?? ''))
  const names = Object.keys(filters ?? {}).map((it) => `\`${it}\``)
  return [
    ownership && `${ownership.says} ${mark(ownership, resource)}`,
    shownOnce &&
      `${fields(shownOnce.fields)} is shown by ${calls(shownOnce.by, ' and ')} only. ${mark(shownOnce, resource)}`,
    ...Object.entries(unique).map(([field, it]) => {
      return `${fields([field])} is unique per ${it.scope}. ${secondUse(it.refusal)} ${mark(it, resource)}`
    }),
    ...Object.entries(defaults).map(([field, it]) => {
      return `${fields([field])} defaults to \`${JSON.stringify(it.value)}\`. ${mark(it, resource)}`
    }),
    order && `The list is ordered ${order.direction.replaceAll('-', ' ')}. ${mark(order, list)}`,
    filters && `The list can be filtered by ${names.join(' and ')}. ${mark(list)}`,
    ...Object.values(oneTimeValues)
      .filter(isOwn)
      .map((it) => `${it.says} ${secondUse(it.used.refusal)} ${mark(it)}`),
    ...Object.values(copies)
      .filter(isOwn)
      .map((it) => `${it.says} ${mark(it)}`),
    // Rules of deliveries belong to the resource that holds their secret.
    ...(shownOnce ? deliveryRules(behaviour, mark) : []),
  ]
}

function secondUse(refusal: string): string {
  return `A second use is refused with {{error:${refusal}}}.`
}

/** When a delivery is retried, and what signs it. */
function deliveryRules({ deliveries: it }: Behaviour, mark: MarkOf): string[] {
  if (!it) return []
  const waits = it.waits.map(durationText).join(', ')
  const timeout = durationText(it.timeout)
  return [
    `A delivery succeeds with any 2xx within ${timeout}. Otherwise the service retries after ${waits}. ${mark(it)}`,
    `The timestamp of a delivery may be off by ${durationText(it.tolerance.duration)}. ${mark(it.tolerance, it)}`,
    `For ${durationText(it.overlap.duration)} after a rotation, deliveries are signed with the new secret and the one that it replaced. ${mark(it.overlap, it)}`,
  ]
}

function bullets(items: readonly (string | undefined)[]): string {
  return items
    .filter(Boolean)
    .map((it) => `- ${it}`)
    .join('\n')
}

/** A duration of ISO 8601 in words: PT30M is 30 minutes. */
function durationText(duration: string): string {
  const counts: readonly [string, number][] = Object.entries(parse(duration))
  return counts
    .filter(([, count]) => count > 0)
    .map(([units, count]) => `${count} ${count === 1 ? units.slice(0, -1) : units}`)
    .join(' ')
}

function fields(pointers: readonly string[]): string {
  return codes(pointers.map((it) => it.slice(1).replaceAll('/', '.')))
}

function codes(texts: readonly string[]): string {
  return texts.map((it) => `\`${it}\``).join(', ')
}

function calls(ids: readonly string[], separator: string): string {
  return ids.map((it) => `{{operation:${it}}}`).join(separator)
}

/**
 * The error catalogue as Markdown: a table of all codes, then a section for each, whose anchor is
 * the code.
 */
export function errorCatalogue(input: BehaviourInput): string {
  const mark = marker(input)
  const all = Object.entries(input.behaviour.refusals ?? {}).sort(byStatus)
  const rows = all.map(([code, refusal]) => [
    `{{error:${code}}}`,
    statusesOf(refusal).join(', '),
    prose(refusal.when),
  ])
  return paragraphs(
    'Every error response is a problem details object (RFC 9457). Branch on `code`, show `detail` to people, and quote `request_id` when you ask the service. {{assumption:errors}}',
    table('', ['Code', 'Status', 'When'], rows),
    all.flatMap(([code, refusal]) => {
      const { when, fix, repeat = 'after-change', responses = [], cases = [] } = refusal
      return [
        `## ${code} {#${code}}`,
        `${prose(when)} ${mark(refusal)}`,
        `**What to do.** ${prose(fix)}`,
        `**Send it again?** ${REPEAT[repeat]}`,
        ...responses.map((it) => `**${it.status}** from ${operationsText(it.operations)}`),
        cases.length > 0 && `**For example** ${cases.join('; ')}.`,
        responses[0]?.example !== undefined && jsonBlock(responses[0].example),
      ]
    }),
    REJECTED,
  )
}

const REJECTED = `## Rejected transfers {#rejected}

A rejection is no error response. The transfer was accepted with \`201\`, and its \`status\` becomes [\`rejected\`](/behaviour/transfer.md#rejected) later. {{assumption:transfer-statuses}}

* *What to do.** Show \`rejection_message\` to the payer, for example \`AC03: the account of the
* recipient is invalid.\` It arrives with the event {{event:transfer.rejected}}. The sandbox uses
* codes of ISO 20022 (pacs.002). Which codes the service uses is not known.

* *Send it again?** No. The payer has the amount again, so look the key up or check the code again,
* and send a new transfer.`

const REPEAT = {
  never: 'No. The same request will be refused again.',
  'after-change': 'Yes, after you change the request or what it depends on.',
  later: 'Yes, later and unchanged.',
  'later-unless-once': 'Yes, later and unchanged, unless the operation has the effect `once`.',
} as const

function operationsText(operations: readonly string[]): string {
  const links = calls(operations, ', ')
  if (operations.length <= 12) return `${links}.`
  return `${operations.length} operations:\n\n<details><summary>all of them</summary>\n\n${links}\n\n</details>`
}

function statusesOf({ responses = [] }: Refusal): number[] {
  return responses.map(({ status }) => status)
}

function byStatus([a, one]: [string, Refusal], [b, other]: [string, Refusal]): number {
  return (statusesOf(one)[0] ?? 0) - (statusesOf(other)[0] ?? 0) || a.localeCompare(b)
}
