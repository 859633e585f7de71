import { accessCredentials, accessKinds, accessLists, accessRecords, accessTokens } from './access.ts'
import { listsFiltered, listsOrdered, listsPaged, listsWhole } from './lists.ts'
import { onceIssued, onceRefused, onceUnique, onceUsed } from './once.ts'
import {
  recordsDated,
  recordsGone,
  recordsKept,
  recordsNamed,
  recordsRefused,
  recordsShown,
  recordsStates,
  recordsThere,
} from './records.ts'
import type { Rule } from './rule.ts'

/** All rules, in the order of their pages. */
export const rules: readonly Rule[] = [
  accessCredentials,
  accessTokens,
  accessKinds,
  accessRecords,
  accessLists,
  recordsShown,
  recordsKept,
  recordsThere,
  recordsNamed,
  recordsRefused,
  recordsGone,
  recordsStates,
  recordsDated,
  listsPaged,
  listsFiltered,
  listsOrdered,
  listsWhole,
  onceIssued,
  onceUnique,
  onceUsed,
  onceRefused,
]
