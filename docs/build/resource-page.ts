import type { Resource, Source, State } from '@partner-payments/spec/behaviour'
import { type BehaviourInput, durationText, errorLink, sourceMark } from './source.ts'
import { stateDiagram } from './state-diagram.ts'
import { table } from './text.ts'

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
  return [`## States of ${withArticle(resource)} {#states}`, intro, stateDiagram(resource), ...each]
    .filter(Boolean)
    .join('\n\n')
}

function beginsText({ title, initial = [] }: Resource): string {
  if (initial.length === 0) return ''
  return `A new ${nameOf(title)} is ${OR.format(initial.map((it) => `\`${it}\``))}.`
}

/** The title inside a sentence. */
function nameOf(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1)
}

function withArticle({ title }: Resource): string {
  return `${/^[aeio]/i.test(title) ? 'an' : 'a'} ${nameOf(title)}`
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

function rulesSection(resource: Resource, input: BehaviourInput): string {
  const rules = [recordRules, listRules, sharedRules, deliveryRules].flatMap((rulesOf) =>
    rulesOf(resource, input),
  )
  return rules.length > 0 ? `## Rules\n\n${rules.map((it) => `- ${it}`).join('\n')}` : ''
}

function recordRules(resource: Resource, { facts }: BehaviourInput): string[] {
  const { ownership, shownOnce, unique = {}, defaults = {} } = resource
  const mark = (source: Source) => sourceMark(source, facts, resource)
  return [
    ...(ownership ? [`${ownership.says} ${mark(ownership)}`] : []),
    ...(shownOnce
      ? [`${fields(shownOnce.fields)} is shown by ${calls(shownOnce.by, ' and ')} only. ${mark(shownOnce)}`]
      : []),
    ...Object.entries(unique).map(
      ([field, it]) => `${fields([field])} is unique per ${it.scope}. ${secondUse(it.refusal)} ${mark(it)}`,
    ),
    ...Object.entries(defaults).map(
      ([field, it]) => `${fields([field])} defaults to \`${JSON.stringify(it.value)}\`. ${mark(it)}`,
    ),
  ]
}

function listRules({ operations }: Resource, { behaviour, facts }: BehaviourInput): string[] {
  const list = operations.list ? behaviour.lists?.[operations.list] : undefined
  if (!list) return []
  const { order, filters } = list
  const names = Object.keys(filters ?? {}).map((it) => `\`${it}\``)
  return [
    ...(order
      ? [`The list is ordered ${order.direction.replaceAll('-', ' ')}. ${sourceMark(order, facts, list)}`]
      : []),
    ...(filters ? [`The list can be filtered by ${names.join(' and ')}. ${sourceMark(list, facts)}`] : []),
  ]
}

/** Rules of values that operations of several resources share. */
function sharedRules(resource: Resource, { behaviour, facts }: BehaviourInput): string[] {
  const own = operationsOf(resource)
  const oneTime = Object.values(behaviour.oneTimeValues ?? {}).filter(({ from, to }) =>
    [...from, to].some((place) => own.has(place.split('#')[0] ?? '')),
  )
  const copies = Object.values(behaviour.copies ?? {}).filter(({ from, to }) =>
    [...from, to].some((id) => own.has(id)),
  )
  return [
    ...oneTime.map((it) => `${it.says} ${secondUse(it.used.refusal)} ${sourceMark(it, facts)}`),
    ...copies.map((it) => `${it.says} ${sourceMark(it, facts)}`),
  ]
}

function secondUse(refusal: string): string {
  return `A second use is refused with ${errorLink(refusal)}.`
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

function refusalsSection(resource: Resource, { behaviour }: BehaviourInput): string {
  const own = operationsOf(resource)
  const rows = Object.entries(behaviour.refusals ?? {}).flatMap(([code, { when, responses = [] }]) => {
    const all = responses.flatMap(({ operations }) => operations)
    const by = all.filter((it) => own.has(it))
    return by.length > 0 && all.length <= MANY ? [[errorLink(code), when, calls(by, ', ')]] : []
  })
  const general = '[Other errors](errors.md) can come from any operation.'
  return rows.length > 0 ? `## Refusals\n\n${table(['Code', 'When', 'By'], rows)}\n\n${general}` : ''
}

/** A code that more operations share is one of all. */
const MANY = 9

function fields(pointers: readonly string[]): string {
  return pointers.map((it) => `\`${it.slice(1).replaceAll('/', '.')}\``).join(', ')
}

function calls(ids: readonly string[], separator: string): string {
  return ids.map((it) => `{{operation:${it}}}`).join(separator)
}

function operationsOf({ operations }: Resource): Set<string> {
  return new Set(Object.values(operations))
}
