import type {
  Behaviour,
  List,
  Refusal,
  Resource,
  Source,
  State,
  Transition,
} from '@partner-payments/spec/behaviour'
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
type WriteMark = (source: Source, inherited?: Source) => string

/**
 * Creates the function that writes the mark behind a statement, which says what the statement rests
 * on. For an assumption it is `{{assumption:paging}}`, which becomes a link to that open question; for
 * a fact, a link that names the section of the source document. Empty if the statement names neither.
 */
function createMarkWriter({ facts }: BehaviourInput): WriteMark {
  return (source, inherited = {}) => {
    const { fact, question } = hasSource(source) ? source : inherited
    if (question) return `{{assumption:${question}}}`
    if (!fact) return ''
    const statement = facts.find(({ id }) => id === fact)
    return factMark(statement?.section ?? fact)
  }
}

/** Whether an entry of spec/behaviour names a fact or an open question of its own. */
function hasSource({ fact, question }: Source): boolean {
  return fact !== undefined || question !== undefined
}

/** The path of the page of a resource. */
export function resourcePath(name: string): string {
  return `behaviour/${name}.md`
}

/**
 * The page of one resource as Markdown: what can be done with it, its states, and the rules that
 * hold for it.
 */
export function resourcePage(name: string, resource: Resource, input: BehaviourInput): string {
  const { behaviour } = input
  const { title, summary, operations } = resource
  const mark = createMarkWriter(input)
  const roles = Object.entries(operations).map(([role, id]) => [role, `{{operation:${id}}}`])
  const refusals = refusalRows(resource, behaviour, mark)

  const sections = [
    `# ${title}\n\n${summary} ${mark(resource)}`,
    table('## Operations', ['Action', 'Operation'], roles),
    statesSection(resource, mark),
  ]
  const rules = writeBullets(listResourceRules(resource, behaviour, mark))
  if (rules) sections.push(`## Rules\n\n${rules}`)
  sections.push(
    table('## Events', ['Event', 'When', 'Webhooks of type'], eventRows(name, behaviour, mark)),
    table('## Refusals', ['Code', 'When', 'Returned by'], refusals),
  )
  if (refusals.length > 0)
    sections.push('[Other errors](/behaviour/errors.md) can come from any operation.')
  return paragraphs(sections)
}

/**
 * A row of the table for each event of a resource: its link, when it is sent, and the webhooks that
 * get it.
 */
function eventRows(name: string, { events = {} }: Behaviour, mark: WriteMark): string[][] {
  const eventsOfResource = Object.entries(events).filter(([, { resource }]) =>
    resource.includes(name),
  )
  return eventsOfResource.map(([id, event]) => [
    `{{event:${id}}}`,
    `${event.says} ${mark(event)}`,
    asCodes(event.subscribers),
  ])
}

/**
 * A code that more operations return is no code of one resource: the error catalogue shows it. Of the
 * 20 operations, the codes of a single idea, such as a token of the wrong kind, have at most 9.
 */
const MAX_OPERATIONS_OF_RESOURCE_CODE = 9

/**
 * A row of the table for each error code that operations of this resource return: its link, when it
 * is returned, and by which of them. Codes that many operations return, such as `invalid_token`, are
 * left out: they say nothing of one resource.
 */
function refusalRows(
  { operations }: Resource,
  { refusals = {} }: Behaviour,
  mark: WriteMark,
): string[][] {
  const idsOfResource = new Set(Object.values(operations))
  const rows: string[][] = []
  for (const [code, refusal] of Object.entries(refusals)) {
    const responses = refusal.responses ?? []
    const senders = responses.flatMap((response) => response.operations)
    if (senders.length > MAX_OPERATIONS_OF_RESOURCE_CODE) continue

    const returnedBy = senders.filter((id) => idsOfResource.has(id))
    if (returnedBy.length === 0) continue
    rows.push([
      `{{error:${code}}}`,
      `${prose(refusal.when)} ${mark(refusal)}`,
      operationLinks(returnedBy, ', '),
    ])
  }
  return rows
}

/**
 * The states of a resource as Markdown: how a record begins, a diagram, and a section for each state.
 * Empty for a resource without states.
 */
function statesSection(resource: Resource, mark: WriteMark): string {
  const { title, states = {} } = resource
  if (Object.keys(states).length === 0) return ''

  const name = title.charAt(0).toLowerCase() + title.slice(1)
  const article = /^[aeio]/.test(name) ? 'an' : 'a'
  const texts = Object.entries(states).map(([id, state]) => {
    // A state without a source has that of its resource, and so do its transitions.
    const inherited = hasSource(state) ? state : resource
    return writeState(id, state, (source) => mark(source, inherited))
  })
  return paragraphs(
    `## States of ${article} ${name} {#states}`,
    introduceStates(name, resource, mark),
    stateDiagram(resource),
    texts,
  )
}

/**
 * Which field shows the state, and how a new record begins, such as "`status` shows the state. A new
 * webhook is `active`." Leaves a sentence out if the resource does not say that.
 */
function introduceStates(name: string, resource: Resource, mark: WriteMark): string {
  const { status, initial = [] } = resource
  const sentences: string[] = []
  if (status) sentences.push(`${fieldNames([status])} shows the state.`)

  const firstState = findFirstState(resource)
  if (firstState)
    sentences.push(`A new ${name} is ${listAlternatives(initial)}. ${mark(firstState, resource)}`)
  return sentences.join(' ')
}

/** The state of a new record, or the first one of several. Undefined for a resource without states. */
function findFirstState({
  states = {},
  initial = [],
}: Pick<Resource, 'states' | 'initial'>): State | undefined {
  const [name] = initial
  return name === undefined ? undefined : states[name]
}

/** `a`, `b` or `c`. */
function listAlternatives(names: readonly string[]): string {
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return list.format(names.map((name) => `\`${name}\``))
}

/**
 * The section of a state: what it means, and what each action does to a record in it, such as
 * "**cancel**: becomes `cancelled`".
 */
function writeState(name: string, state: State, mark: (source: Source) => string): string {
  const actions = Object.entries(state.on ?? {}).map(
    ([action, transition]) =>
      `- **${action}**: ${describeOutcome(name, transition)} ${mark(transition)}`,
  )
  return paragraphs(`### ${name}`, `${state.meaning} ${mark(state)}`, actions.join('\n'))
}

/**
 * What an action does to a record in this state: it is refused with an error code, changes nothing,
 * or moves the record to another state, which events report.
 */
function describeOutcome(state: string, { to, refusal, events = [] }: Transition): string {
  if (refusal) return `refused with {{error:${refusal}}}`
  const change = to === state ? 'changes nothing' : `becomes \`${to}\``
  if (events.length === 0) return change
  return `${change}, and ${eventLinks(events)} ${events.length === 1 ? 'is' : 'are'} delivered`
}

/**
 * What happens to a new transfer if the service settles or rejects it: the next state, and the events
 * that follow. Undefined if spec/behaviour does not say.
 */
export function outcomeOfTransfer(
  { resources = {} }: Behaviour,
  action: 'settle' | 'reject',
): Transition | undefined {
  return findFirstState(resources.transfer ?? {})?.on?.[action]
}

/** Links to the pages of events. */
export function eventLinks(names: readonly string[]): string {
  return names.map((name) => `{{event:${name}}}`).join(' and ')
}

/** How any event is delivered, as a list. */
export function deliveryList(input: BehaviourInput): string {
  return writeBullets(deliveryRules(input.behaviour, createMarkWriter(input)))
}

/**
 * The rules that hold for a resource, as sentences with their marks: about its owner, its fields,
 * its list, values that work once, and copied fields.
 */
function listResourceRules(resource: Resource, behaviour: Behaviour, mark: WriteMark): string[] {
  const { ownership, shownOnce, operations } = resource
  const { lists = {}, oneTimeValues = {}, copies = {} } = behaviour
  const rules: string[] = []

  if (ownership) rules.push(`${ownership.says} ${mark(ownership, resource)}`)
  rules.push(...fieldRules(resource, mark))

  const list = operations.list === undefined ? undefined : lists[operations.list]
  if (list) rules.push(...listRules(list, mark))

  for (const value of Object.values(oneTimeValues)) {
    if (!isPassedOn(value, resource)) continue
    rules.push(`${value.says} ${refuseSecondUse(value.used.refusal)} ${mark(value)}`)
  }

  for (const copy of Object.values(copies))
    if (isPassedOn(copy, resource)) rules.push(`${copy.says} ${mark(copy)}`)

  // Only a webhook has something that is shown once: the secret that signs its deliveries.
  const holdsSecretOfDeliveries = shownOnce !== undefined
  if (holdsSecretOfDeliveries) rules.push(...deliveryRules(behaviour, mark))
  return rules
}

/**
 * Whether an operation of the resource gives a value or takes it. `from` and `to` are places such as
 * `checkKey#/initiation_id`: an operation, and the field of its body.
 */
function isPassedOn(
  { from, to }: { from: readonly string[]; to: string },
  { operations }: Resource,
): boolean {
  const idsOfResource = new Set(Object.values(operations))
  const idsOfPlaces = [...from, to].map((place) => place.replace(/#.*/, ''))
  return idsOfPlaces.some((id) => idsOfResource.has(id))
}

/**
 * The rules of single fields as sentences: those that are shown once, are unique, or have a default,
 * such as "`message` defaults to `null`."
 *
 * @param mark Writes the link to what a sentence rests on; the resource's, if the rule names nothing.
 */
function fieldRules(resource: Resource, mark: WriteMark): string[] {
  const { shownOnce, unique = {}, defaults = {} } = resource
  const rules: string[] = []

  if (shownOnce) {
    const fields = fieldNames(shownOnce.fields)
    const operations = operationLinks(shownOnce.by, ' and ')
    rules.push(`${fields} is shown by ${operations} only. ${mark(shownOnce, resource)}`)
  }

  for (const [field, rule] of Object.entries(unique)) {
    const refused = refuseSecondUse(rule.refusal)
    rules.push(
      `${fieldNames([field])} is unique per ${rule.scope}. ${refused} ${mark(rule, resource)}`,
    )
  }

  for (const [field, rule] of Object.entries(defaults)) {
    const value = JSON.stringify(rule.value)
    rules.push(`${fieldNames([field])} defaults to \`${value}\`. ${mark(rule, resource)}`)
  }
  return rules
}

/**
 * How the list of a resource is ordered and filtered, as up to two sentences with their marks, such as
 * "The list is ordered newest first."
 */
function listRules(list: List, mark: WriteMark): string[] {
  const { order, filters } = list
  const rules: string[] = []

  if (order) {
    const direction = order.direction.replaceAll('-', ' ')
    rules.push(`The list is ordered ${direction}. ${mark(order, list)}`)
  }

  if (filters) {
    const names = Object.keys(filters).map((name) => `\`${name}\``)
    rules.push(`The list can be filtered by ${names.join(' and ')}. ${mark(list)}`)
  }
  return rules
}

/** The sentence about a value that works once. */
function refuseSecondUse(refusal: string): string {
  return `A second use is refused with {{error:${refusal}}}.`
}

/**
 * The rules of deliveries as sentences with their marks: when one succeeds, when it is retried, and
 * which secrets sign it after a rotation. Empty if spec/behaviour has no deliveries.
 */
function deliveryRules({ deliveries }: Behaviour, mark: WriteMark): string[] {
  if (!deliveries) return []
  const { tolerance, overlap } = deliveries
  const waits = deliveries.waits.map(describeDuration).join(', ')
  const timeout = describeDuration(deliveries.timeout)
  const maxOffset = describeDuration(tolerance.duration)
  const overlapTime = describeDuration(overlap.duration)
  return [
    `A delivery succeeds with any 2xx within ${timeout}. Otherwise the service retries after ${waits}. ${mark(deliveries)}`,
    `Deliveries may arrive in any order, and more than once with the same webhook-id. ${mark(deliveries)}`,
    `The timestamp of a delivery may be off by ${maxOffset}. ${mark(tolerance, deliveries)}`,
    `For ${overlapTime} after a rotation, deliveries are signed with the new secret and the one that it replaced. ${mark(overlap, deliveries)}`,
  ]
}

function writeBullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** A duration of ISO 8601 in words: PT30M is 30 minutes. */
function describeDuration(duration: string): string {
  const counts: readonly [string, number][] = Object.entries(parse(duration))
  const parts = counts.filter(([, count]) => count > 0)
  const words = parts.map(([units, count]) => {
    const unit = count === 1 ? units.slice(0, -1) : units
    return `${count} ${unit}`
  })
  return words.join(' ')
}

/** The fields of pointers as code: of `/payer/tax_id`, `` `payer.tax_id` ``. */
function fieldNames(pointers: readonly string[]): string {
  return asCodes(pointers.map((pointer) => pointer.slice(1).replaceAll('/', '.')))
}

function asCodes(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(', ')
}

/** Links to the pages of operations. */
function operationLinks(ids: readonly string[], separator: string): string {
  return ids.map((id) => `{{operation:${id}}}`).join(separator)
}

/**
 * The error catalogue as Markdown: a table of all codes, then a section for each, whose anchor is
 * the code.
 */
export function errorCatalogue(input: BehaviourInput): string {
  const refusals = Object.entries(input.behaviour.refusals ?? {}).sort(compareByStatus)
  const rows = refusals.map(([code, refusal]) => [
    `{{error:${code}}}`,
    statusesOfRefusal(refusal).join(', '),
    prose(refusal.when),
  ])
  return paragraphs(
    'Every error response is a problem details object (RFC 9457). Branch on `code`, show `detail` to people, and quote `request_id` when you ask the service. {{assumption:errors}}',
    table('', ['Code', 'Status', 'When'], rows),
    refusals.flatMap(([code, refusal]) => errorSection(code, refusal, input)),
    rejectedSection(input.behaviour),
  )
}

/**
 * The section of one error code, as paragraphs: when it is returned, what to do, whether to send
 * the request again, and an example.
 */
function errorSection(code: string, refusal: Refusal, input: BehaviourInput): string[] {
  const { when, fix, responses = [], cases = [] } = refusal
  const mark = createMarkWriter(input)
  const parts = [
    `## ${code} {#${code}}`,
    `${prose(when)} ${mark(refusal)}`,
    `**What to do.** ${prose(fix)}`,
    `**Send it again?** ${maySendAgain(code, refusal, input)}`,
  ]
  for (const { status, operations } of responses)
    parts.push(`**${status}** from ${listOperations(operations)}`)
  if (cases.length > 0) parts.push(`**For example** ${cases.join('; ')}.`)

  const example = responses[0]?.example
  if (example !== undefined) parts.push(jsonBlock(example))
  return parts
}

/**
 * The section about a transfer that is accepted and rejected later. That is no error response, but
 * readers look for it among the error codes.
 */
function rejectedSection(behaviour: Behaviour): string {
  const { events = [] } = outcomeOfTransfer(behaviour, 'reject') ?? {}
  return `## Rejected transfers {#rejected}

A rejection is no error response. The transfer was accepted with \`201\`, and its \`status\` becomes [\`rejected\`](/behaviour/transfer.md#rejected) later. {{assumption:transfer-statuses}}

**What to do.** Show \`rejection_message\` to the payer, for example \`AC03: the account of the recipient is invalid.\` It arrives with ${eventLinks(events)}. The sandbox uses codes of ISO 20022 (pacs.002). Which codes the service uses is not known.

**Send it again?** No. The payer has the amount again, so look the key up or check the code again, and send a new transfer.`
}

/**
 * Whether the same request may be sent again after an error code, as a sentence: later after a 429 or
 * a 5xx; never if a value works once and was used up, or after a 405; otherwise after a change.
 */
function maySendAgain(code: string, refusal: Refusal, { behaviour }: BehaviourInput): string {
  const statuses = statusesOfRefusal(refusal)
  if (statuses.includes(TOO_MANY_REQUESTS)) return 'Yes, later and unchanged.'

  const isOfService = statuses.some((status) => status >= 500)
  if (isOfService) return 'Yes, later and unchanged, unless the operation has the effect `once`.'

  // A one-time value stays used up, and a path never takes another method.
  const isOfUsedValue = Object.values(behaviour.oneTimeValues ?? {}).some(
    ({ used }) => used.refusal === code,
  )
  if (isOfUsedValue || statuses.includes(METHOD_NOT_ALLOWED))
    return 'No. The same request will be refused again.'

  return 'Yes, after you change the request or what it depends on.'
}

const METHOD_NOT_ALLOWED = 405
const TOO_MANY_REQUESTS = 429

/** Links to operations, which unfold if they are many. */
function listOperations(operations: readonly string[]): string {
  const links = operationLinks(operations, ', ')
  if (operations.length <= 12) return `${links}.`
  return `${operations.length} operations:\n\n<details><summary>all of them</summary>\n\n${links}\n\n</details>`
}

function statusesOfRefusal({ responses = [] }: Refusal): number[] {
  return responses.map(({ status }) => status)
}

/** Compares two error codes for `sort`: by their first status, then by their names. */
function compareByStatus(
  [code, refusal]: [string, Refusal],
  [otherCode, other]: [string, Refusal],
): number {
  const [status = 0] = statusesOfRefusal(refusal)
  const [otherStatus = 0] = statusesOfRefusal(other)
  return status - otherStatus || code.localeCompare(otherCode)
}
