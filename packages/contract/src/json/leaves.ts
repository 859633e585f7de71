import { pointerOf } from './pointer.ts'

/** A value that has no other inside, with its pointer. */
type Leaf = [pointer: string, leaf: unknown]
/** Whether a leaf is wanted, by its value and the name of its field; an item has no name. */
type IsWanted = (leaf: unknown, name?: string) => boolean

/** The name of a field, or the index of an item. */
type Step = string | number

/** Where an object or an array stands: at a step of its parent, unless it is the outermost. */
interface Place {
  readonly parent?: Place
  readonly step: Step
  /** Written once, and only if there is a wanted leaf inside. */
  pointer?: string
}

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
  if (isContainer(value)) addLeaves(value, { step: '', pointer: at })
  else if (isWanted(value)) leaves.push([at, value])
  return leaves

  /** Adds the leaves inside an object or an array. */
  function addLeaves(container: object, place: Place): void {
    if (Array.isArray(container)) {
      addLeavesOfArray(container, place)
      return
    }
    for (const [name, field] of Object.entries(container)) addLeaf(place, name, field, name)
  }

  /** Adds the place after the last item, which a test may want to fill, then the leaves of the items. */
  function addLeavesOfArray(items: readonly unknown[], place: Place): void {
    if (isWanted(undefined)) leaves.push([pointerTo(place, items.length), undefined])
    // An iterator would create an array for each of hundreds of thousands of items.
    for (let index = 0; index < items.length; index++) addLeaf(place, index, items[index])
  }

  /** Adds a field or an item, or the leaves in it. An item has no name. */
  function addLeaf(parent: Place, step: Step, value: unknown, name?: string): void {
    if (isContainer(value)) addLeaves(value, { parent, step })
    else if (isWanted(value, name)) leaves.push([pointerTo(parent, step), value])
  }
}

/** The pointer to a step inside an object or an array. */
function pointerTo(place: Place, step: Step): string {
  place.pointer ??= place.parent ? pointerTo(place.parent, place.step) : ''
  return pointerOf(place.pointer, String(step))
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
