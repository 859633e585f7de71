import { pointerOf } from './pointer.ts'

/** A value that has no other inside, with its pointer. */
type Leaf = [pointer: string, leaf: unknown]
/** Whether a leaf is wanted, by its value and the name of its field; an item has no name. */
type IsWanted = (leaf: unknown, name?: string) => boolean

/**
 * The leaves of a value with their pointers: the values that have no other inside. An array with
 * items has one more leaf, undefined, at the place after its last item.
 *
 * @param isWanted Which leaves to list. Default: all, whose pointers take most of the time.
 * @example
 * leavesOf({ a: 1, b: [2] }) // [['/a', 1], ['/b/1', undefined], ['/b/0', 2]]
 */
export function leavesOf(value: unknown, at = '', isWanted: IsWanted = () => true): Leaf[] {
  // One list: as arguments of a function, the leaves of a long array are too many.
  const leaves: Leaf[] = []
  // The names and indexes that lead to the container that is read, and the pointers of the first ones. A pointer is
  // written once, and only if there is a wanted leaf below it.
  const steps: (string | number)[] = []
  const pointers: string[] = []
  if (isContainer(value)) addLeaves(value)
  else if (isWanted(value)) leaves.push([at, value])
  return leaves

  /** Adds the leaves inside an object or an array. */
  function addLeaves(container: object): void {
    if (Array.isArray(container)) {
      addLeavesOfArray(container)
      return
    }
    for (const [name, field] of Object.entries(container)) addLeaf(name, field, name)
  }

  /** Adds the place after the last item, which a test may want to fill, then the leaves of the items. */
  function addLeavesOfArray(items: readonly unknown[]): void {
    if (isWanted(undefined)) leaves.push([pointerTo(items.length), undefined])
    // An iterator would create an array for each of hundreds of thousands of items.
    for (let index = 0; index < items.length; index++) addLeaf(index, items[index])
  }

  /** Adds a field or an item, or the leaves in it. An item has no name. */
  function addLeaf(step: string | number, value: unknown, name?: string): void {
    if (isContainer(value)) {
      steps.push(step)
      addLeaves(value)
      steps.pop()
      if (pointers.length > steps.length) pointers.pop()
    } else if (isWanted(value, name)) leaves.push([pointerTo(step), value])
  }

  function pointerTo(step: string | number): string {
    // Of the steps that have none yet.
    for (let level = pointers.length; level < steps.length; level++)
      pointers.push(pointerOf(pointers[level - 1] ?? at, String(steps[level])))
    return pointerOf(pointers.at(-1) ?? at, String(step))
  }
}

/** Whether a value is an object or an array, and not empty. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.length > 0 : hasAnyField(value)
}

/** Whether an object has a field. A list of all its names would take long for a large one. */
function hasAnyField(object: object): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return true
  return false
}
