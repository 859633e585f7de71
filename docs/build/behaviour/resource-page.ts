import type { Resource, State } from '@partner-payments/spec/behaviour'
import { type BehaviourInput, durationText, errorLink, sourceMark, table } from './source.ts'
import { stateDiagram } from './state-diagram.ts'

/** The page of one resource as Markdown: what can be done with it, its states, and the rules that hold for it. */
export function resourcePage(name: string, resource: Resource, input: BehaviourInput): string {
  return [
    operationsSection(resource, input),
    statesSection(resource, input),
    rulesSection(resource, input),
    eventsSection(name, input),
    refusalsSection(resource, input),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function operationsSection(resource: Resource, { facts }: BehaviourInput): string {
  const rows = Object.entries(resource.operations).map(([role, id]) => [role, `{{operation:${id}}}`])
  return `## Operations\n\n${table(['To', 'Call'], rows)}\n\n${sourceMark(resource, facts)}`
}

function statesSection(resource: Resource, { facts }: BehaviourInput): string {
  const states = Object.entries(resource.states ?? {})
  if (states.length === 0) return ''
  const shownIn = resource.status ? `${fields([resource.status])} shows the state.` : ''
  const each = states.map(([name, state]) => stateText(name, state, sourceMark(state, facts, resource)))
  const intro = [shownIn, beginsText(resource)].filter(Boolean).join(' ')
  return ['## States', intro, stateDiagram(resource), ...each].filter(Boolean).join('\n\n')
}

function beginsText({ title, initial = [] }: Resource): string {
  if (initial.length === 0) return ''
  const name = title.charAt(0).toLowerCase() + title.slice(1)
  return `A new ${name} is ${OR.format(initial.map((it) => `\`${it}\``))}.`
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function stateText(name: string, { meaning, on = {} }: State, mark: string): string {
  const actions = Object.entries(on).map(([action, { to, refusal, event }]) => {
    if (refusal) return `- ${action}: refused with ${errorLink(refusal)}`
    const result = to === name ? 'changes nothing' : `becomes \`${to}\``
    return `- ${action}: ${result}${event ? `, and \`${event}\` is delivered` : ''}`
  })
  return [`### ${name}`, `${meaning} ${mark}`, actions.join('\n')].filter(Boolean).join('\n\n')
}

function rulesSection(resource: Resource, { behaviour, facts }: BehaviourInput): string {
  const { ownership, shownOnce, unique = {}, defaults = {}, operations } = resource
  const own = new Set(Object.values(operations))
  const isOwn = (places: readonly string[]) => places.some((it) => own.has(it.split('#')[0] ?? ''))
  const mark = (source: Parameters<typeof sourceMark>[0]) => sourceMark(source, facts, resource)
  const list = operations.list ? behaviour.lists?.[operations.list] : undefined
  const rules = [
    ...(ownership ? [`${ownership.says} ${mark(ownership)}`] : []),
    ...(shownOnce
      ? [`${fields(shownOnce.fields)} is shown by ${calls(shownOnce.by)} only. ${mark(shownOnce)}`]
      : []),
    ...Object.entries(unique).map(
      ([field, it]) =>
        `${fields([field])} is unique per ${it.scope}. A second use is refused with ${errorLink(it.refusal)}. ${mark(it)}`,
    ),
    ...Object.entries(defaults).map(
      ([field, it]) => `${fields([field])} defaults to \`${JSON.stringify(it.value)}\`. ${mark(it)}`,
    ),
    ...(list?.order
      ? [
          `The list is ordered ${list.order.direction.replaceAll('-', ' ')}. ${sourceMark(list.order, facts, list)}`,
        ]
      : []),
    ...(list?.filters
      ? [
          `The list can be filtered by ${Object.keys(list.filters)
            .map((it) => `\`${it}\``)
            .join(' and ')}. ${sourceMark(list, facts)}`,
        ]
      : []),
    ...Object.values(behaviour.oneTimeValues ?? {})
      .filter(({ from, to }) => isOwn([...from, to]))
      .map(
        (it) =>
          `${it.says} A second use is refused with ${errorLink(it.used.refusal)}. ${sourceMark(it, facts)}`,
      ),
    ...Object.values(behaviour.copies ?? {})
      .filter(({ from, to }) => own.has(from) || own.has(to))
      .map((it) => `${it.says} ${sourceMark(it, facts)}`),
    ...deliveryRules(resource, { behaviour, facts }),
  ]
  return rules.length > 0 ? `## Rules\n\n${rules.map((it) => `- ${it}`).join('\n')}` : ''
}

/** Rules of deliveries belong to the resource that holds their secret. */
function deliveryRules({ shownOnce }: Resource, { behaviour, facts }: BehaviourInput): string[] {
  const { deliveries } = behaviour
  if (!shownOnce || !deliveries) return []
  const { timeout, waits, overlap, tolerance } = deliveries
  return [
    `A delivery succeeds with any 2xx within ${durationText(timeout)}. Otherwise the service retries after ${waits.map(durationText).join(', ')}. ${sourceMark(deliveries, facts)}`,
    `The timestamp of a delivery may be off by ${durationText(tolerance.duration)}. ${sourceMark(tolerance, facts, deliveries)}`,
    `For ${durationText(overlap.duration)} after a rotation, deliveries carry a signature of the old secret and of the new one. ${sourceMark(overlap, facts, deliveries)}`,
  ]
}

function eventsSection(name: string, { behaviour, facts }: BehaviourInput): string {
  const events = Object.entries(behaviour.events ?? {}).filter(([, { resource }]) => resource.includes(name))
  if (events.length === 0) return ''
  const rows = events.map(([event, it]) => [
    `\`${event}\``,
    `${it.says} ${sourceMark(it, facts)}`,
    it.subscribers.map((type) => `\`${type}\``).join(', '),
  ])
  return `## Events\n\n${table(['Event', 'When', 'Webhook types'], rows)}`
}

function refusalsSection({ operations }: Resource, { behaviour }: BehaviourInput): string {
  const own = new Set(Object.values(operations))
  const rows = Object.entries(behaviour.refusals ?? {}).flatMap(([code, { when, responses = [] }]) => {
    const by = responses.flatMap((it) => it.operations).filter((it) => own.has(it))
    const isGeneral = responses.flatMap((it) => it.operations).length > MANY
    return by.length > 0 && !isGeneral
      ? [[errorLink(code), when, by.map((it) => `{{operation:${it}}}`).join(', ')]]
      : []
  })
  const general = '[Other errors](errors.html) can come from any operation.'
  return rows.length > 0 ? `## Refusals\n\n${table(['Code', 'When', 'By'], rows)}\n\n${general}` : ''
}

/** A code that more operations share is one of all. */
const MANY = 9

function fields(pointers: readonly string[]): string {
  return pointers.map((it) => `\`${it.slice(1).replaceAll('/', '.')}\``).join(', ')
}

function calls(ids: readonly string[]): string {
  return ids.map((it) => `{{operation:${it}}}`).join(' and ')
}
