import type { Behaviour, Resource } from '@partner-payments/spec/behaviour'
import { resourcePath } from './behaviour-pages.ts'
import { assumedSentences, type Contract, type Operation, operationsOf } from './contract.ts'
import { hasOwnPage } from './operation-pages.ts'
import { paragraphs, table } from './text.ts'

/**
 * The page of all operations in a table, but for the short paths (other addresses of some of them).
 * The contract must be one without `$ref` (see `inline`).
 */
export function operationsIndex(contract: Contract, behaviour: Behaviour) {
  const title = 'Operations and resources'
  const rows = operationRows(contract, behaviour)
  const summary = `All ${rows.length} operations in one table: the request, whether it may be sent twice, whose token it takes, and which events follow.`
  return {
    path: 'operations/index.md',
    title,
    summary,
    section: 'operation-index',
    options: { aside: false, outline: false, pageClass: 'wide' },
    text: paragraphs(
      `# ${title}`,
      summary,
      operationTable(contract, behaviour),
      'The effect says whether you may send a request again: [Errors](/guides/errors.md#may-it-be-sent-again). A guide for partners gives [short paths](/guides/what-is-not-known.md#short-paths) of five operations.',
      'The same contract for your tools: [openapi.json](/openapi.json){target="_self"}, [openapi.yaml](/openapi.yaml){target="_self"}, and [all on one page](/reference.html){target="_self"}, drawn by Redoc. That page is large.',
      resourceTable(behaviour),
    ),
  }
}

/** The table of resources, with links to their pages. */
function resourceTable({ resources = {} }: Behaviour): string {
  const rows = Object.entries(resources).map(([name, { title, summary }]) => [
    `[${title}](/${resourcePath(name)})`,
    summary,
  ])
  return table('## Resources', ['Resource', 'What it is'], rows)
}

/** The table of operations. What is assumed in each column has its mark in the head. */
export function operationTable(contract: Contract, behaviour: Behaviour): string {
  return table('', HEAD, operationRows(contract, behaviour))
}

const HEAD = [
  'Operation',
  'Request',
  'Effect {{assumption:effects}}',
  'Token {{assumption:token-permissions}}',
  'Events that follow {{assumption:event-kinds}}',
]

/** A row of the table for each operation of the contract, without the short paths. */
function operationRows(contract: Contract, behaviour: Behaviour): string[][] {
  const operations = operationsOf(contract, behaviour).filter(hasOwnPage)
  return operations.map((operation) => {
    const { id, summary, effect, method, path } = operation
    const events = listEvents(operation, contract, behaviour)
    return [
      `[${summary}](/operations/${id}.md)<br>\`${id}\``,
      `\`${method} ${path}\``,
      effect,
      describeToken(operation),
      events.map((event) => `{{event:${event}}}`).join(' '),
    ]
  })
}

/** Whose token an operation takes. */
function describeToken({ tokens }: Operation): string {
  return tokens.length > 0 ? tokens.join(' or ') : 'none: client key and secret'
}

/**
 * The names of the events that an operation leads to, such as `transfer.settled` of `createTransfer`:
 * those of the transitions that it causes in spec/behaviour, and those that its sentences name.
 */
function listEvents(operation: Operation, contract: Contract, behaviour: Behaviour): string[] {
  const events = new Set<string>()
  for (const resource of Object.values(behaviour.resources ?? {}))
    for (const event of eventsOfResource(operation.id, resource)) events.add(event)

  const sentences = assumedSentences(operation.node).map(([, sentence]) => sentence)
  for (const event of Object.keys(contract.webhooks))
    if (sentences.some((sentence) => sentence.includes(event))) events.add(event)
  return [...events]
}

/**
 * The names of the events that follow if an operation acts on a new record of the resource: those of
 * the transitions that it causes from the states in which a record begins. Empty if the operation is
 * none of the resource.
 *
 * @param id The id of the operation.
 */
function eventsOfResource(id: string, resource: Resource): string[] {
  const { operations, states = {}, initial = [] } = resource
  // What the operation does with the resource, such as `create` or `cancel`.
  const [role] = Object.entries(operations).find(([, operationId]) => operationId === id) ?? []
  if (role === undefined) return []

  const events: string[] = []
  for (const state of initial) {
    for (const [cause, transition] of Object.entries(states[state]?.on ?? {}))
      if (isCausedBy(role, cause, resource)) events.push(...(transition.events ?? []))
  }
  return events
}

/** @param cause A role such as `cancel`, or what no operation does, such as `settle`. */
function isCausedBy(role: string, cause: string, { operations }: Resource): boolean {
  const happensByItself = !(cause in operations)
  // What happens to a record by itself follows its creation.
  return role === 'create' ? happensByItself : cause === role
}
