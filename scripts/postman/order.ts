import type { Operation, Origin } from '@partner-payments/contract'

/**
 * The operations in an order in which a run of the collection works: folder by folder, and each
 * after those whose responses show the values that it sends. Throws if there is no such order.
 */
export function sortToRun(operations: readonly Operation[], tags: readonly string[]): Operation[] {
  const operationsByTag = Map.groupBy(operations, (operation) => findFolder(operation, operations))
  const waiting = new Map<string, readonly Operation[]>()
  for (const tag of tags) {
    const operationsOfTag = operationsByTag.get(tag)
    if (operationsOfTag) waiting.set(tag, operationsOfTag)
  }

  const placed: Operation[] = []
  while (waiting.size > 0) {
    const next = findRunnableFolder(waiting, placed)
    if (!next) throw new Error(`no order runs ${[...waiting.keys()].join(', ')}`)

    placed.push(...next.steps)
    waiting.delete(next.tag)
  }
  return placed
}

/** The first folder all of whose operations can follow those before it; undefined if there is none. */
function findRunnableFolder(
  waiting: ReadonlyMap<string, readonly Operation[]>,
  before: readonly Operation[],
): { tag: string; steps: Operation[] } | undefined {
  for (const [tag, operations] of waiting) {
    const steps = placeOperations(operations, before)
    const areAllPlaced = steps.length === operations.length
    if (areAllPlaced) return { tag, steps }
  }
  return undefined
}

/**
 * The operations of one folder in an order that works. Leaves out those that need a value which no
 * earlier operation shows.
 *
 * @param before The operations of the folders before it.
 */
function placeOperations(
  folderOperations: readonly Operation[],
  before: readonly Operation[],
): Operation[] {
  const byRole = folderOperations.toSorted((one, other) => rankByRole(one) - rankByRole(other))
  const waiting = new Set(byRole)
  const placed: Operation[] = []
  while (true) {
    const sentIds = [...before, ...placed].map(({ id }) => id)
    const next = [...waiting].find((operation) => canFollow(operation, sentIds))
    if (!next) return placed
    placed.push(next)
    waiting.delete(next)
  }
}

/** Whether earlier requests show all that it sends. */
function canFollow(operation: Operation, sentIds: readonly string[]): boolean {
  return operation.origins.length === 0 || findSources(operation, sentIds).length > 0
}

/**
 * Where the values of a request come from: the latest earlier response that shows one, and others
 * that show the rest. Empty if one of these was not sent. An origin is an operation whose response
 * shows values that another one sends.
 *
 * @param sentIds The ids of the operations before it.
 */
export function findSources(operation: Operation, sentIds: readonly string[]): readonly Origin[] {
  const latestFirst = operation.origins.toSorted(
    (one, other) => sentIds.indexOf(other.from) - sentIds.indexOf(one.from),
  )
  for (const origin of latestFirst) {
    const sources = combineOrigins(operation, origin)
    const wereAllSent = sources.every(({ from }) => sentIds.includes(from))
    if (wereAllSent) return sources
  }
  return []
}

/** An origin, with the others whose values the same request can send too. */
function combineOrigins(operation: Operation, first: Origin): readonly Origin[] {
  const combined = [first]
  for (const origin of operation.origins) {
    const shownNames = namesOfValues(combined)
    const showsMore = origin.values.some(({ name }) => !shownNames.includes(name))
    if (!showsMore) continue
    if (canBeSentTogether(operation, [...combined, origin])) combined.push(origin)
  }
  return combined
}

/**
 * Whether an example of the body has all of their fields: a payment of a key has nothing of a code.
 * Whatever is in the path is sent anyway.
 */
function canBeSentTogether({ request }: Operation, origins: readonly Origin[]): boolean {
  const fields: string[] = []
  for (const { values } of origins) {
    for (const value of values) if (value.in === 'body') fields.push(value.name)
  }
  if (fields.length === 0) return true

  const examples = request?.examples ?? []
  return examples.some(({ value }) => fields.every((field) => field in (value as object)))
}

function namesOfValues(origins: readonly Origin[]): string[] {
  return origins.flatMap(({ values }) => values.map(({ name }) => name))
}

/** Creations first, and last what ends records. */
function rankByRole({ role }: Operation): number {
  if (role === 'create') return 0
  return role === 'cancel' || role === 'delete' ? 2 : 1
}

/**
 * The folder of the collection for an operation, which is a tag: that of the list of its records,
 * or, without a resource, that of the operations that give it values if they have one tag.
 * Otherwise it is its own.
 */
export function findFolder(operation: Operation, operations: readonly Operation[]): string {
  const { resource, origins, tag } = operation
  if (resource !== undefined) {
    const list = operations.find((other) => other.resource === resource && other.role === 'list')
    return list?.tag ?? tag
  }

  const idsOfSources = origins.map(({ from }) => from)
  const tagsOfSources = new Set<string>()
  for (const source of operations)
    if (idsOfSources.includes(source.id)) tagsOfSources.add(source.tag)
  const [firstTag = tag] = tagsOfSources
  return tagsOfSources.size === 1 ? firstTag : tag
}
