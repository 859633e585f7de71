/**
 * Divides items into lanes: what is in one lane is sent one after the other, and several lanes can be
 * sent side by side.
 *
 * @param size The items of one lane, at most.
 */
export function divideIntoLanes<Item>(items: readonly Item[], size: number): readonly Item[][] {
  const lanes: Item[][] = []
  for (let from = 0; from < items.length; from += size) lanes.push(items.slice(from, from + size))
  return lanes
}
