import { findDeclaredList } from '../contract/behaviour.ts'
import { LINK_ELSEWHERE } from '../model/more-records.ts'

/**
 * Says that no second page of a list was read, why there must be one, and which option helps.
 *
 * @param sign What says that the list has more records, such as `a page has 10 records of 23`.
 */
export function describeUnreadPages([list, sign]: readonly [list: string, sign: string]): string {
  const notTried = `not tried: the second page of ${list}, so that nothing shows whether the list is whole: ${sign}`
  const hasDeclaredPages = findDeclaredList({ operation: { id: list } })?.pages !== undefined
  if (!hasDeclaredPages) return `${notTried}; the contract declares no pages of this list`
  if (sign === LINK_ELSEWHERE) return `${notTried}; the run follows no such link`
  return `${notTried}, and no cursor was found in it; name its place with --set list/next=POINTER, or --set list/next=link for a header Link`
}
