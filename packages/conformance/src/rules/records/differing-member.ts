import { isDeepStrictEqual } from 'node:util'
import { nodeOf } from '../../model/document.ts'

/** The first member that both have and whose value differs, whatever the order of what is inside; undefined where none. */
export function differingMember(
  one: unknown,
  other: unknown,
  but: readonly string[] = [],
): string | undefined {
  const [left, right] = [nodeOf(one), nodeOf(other)]
  const shared = Object.keys(left).filter((name) => Object.hasOwn(right, name) && !but.includes(name))
  return shared.find((name) => !isDeepStrictEqual(left[name], right[name]))
}
