import { twoDigits } from './digits.ts'
import { type IssueHandler, refuse } from './error.ts'
import { createIssue, createMissingIssue, type Place, shown } from './issue.ts'
import type { Rule } from './object-rules.ts'
import { type Level, writeObject } from './tlv.ts'
import { toAscii } from './to-ascii.ts'

/**
 * Returns a function that reads the object of a rule: `10.50` from `540510.50` by the rule of
 * amounts (54). It returns undefined if the object is absent, or says that there is no value, such
 * as the txid `***`. It refuses a value that the rule does not accept.
 *
 * @param onTolerable Gets an issue that the lenient profile accepts; the strict one refuses it.
 */
export function createReader({ at, parent }: Level, onTolerable: IssueHandler) {
  return (rule: Rule): string | undefined => {
    const object = at[rule.id]
    if (!object) {
      if (rule.mandatory) reportAbsence(rule, onTolerable, parent)
      return undefined
    }

    checkValue(rule, object, onTolerable, parent)
    const saysNone = object.value === rule.absentValue
    return saysNone ? undefined : object.value
  }
}

/**
 * Returns a function that writes the object of a rule: `540510.50` for `10.50` by the rule of
 * amounts (54). Without a value, it writes that there is none, such as the txid `***`; an empty
 * text if the rule has no word for that. It refuses a value that the rule does not accept.
 *
 * @param fit Whether to write names and other texts of people in ASCII, and to cut each to the
 *   `length` that comes with it.
 */
export function createWriter(onTolerable: IssueHandler, fit = false, parent?: Place) {
  return (rule: Rule, value?: string, length?: number): string => {
    const text = value ?? rule.absentValue
    if (text === undefined) {
      if (rule.mandatory) reportAbsence(rule, onTolerable, parent)
      return ''
    }

    const id = twoDigits(rule.id)
    // Without this check a number would be accepted as an amount, and 10.50 becomes 10.5.
    if (typeof text !== 'string')
      refuse(createIssue({ id, value: shown(text) }, 'value', 'a string', parent))

    const isFitted = fit && length !== undefined
    const written = isFitted ? toAscii({ id, value: text }, length, parent) : text
    const object = { id, value: written }
    checkValue(rule, object, onTolerable, parent)
    return writeObject(object, parent)
  }
}

/**
 * Refuses a value that its rule does not accept. A value that only the lenient rule accepts, such
 * as a name of 30 characters, goes to `onTolerable`, which refuses it too in the strict profile.
 */
function checkValue(rule: Rule, object: Place, onTolerable: IssueHandler, parent?: Place): void {
  const { value = '' } = object
  // Such as `***`, which is no txid.
  const saysNone = value === rule.absentValue
  if (saysNone || rule.strict.test(value)) return

  const issue = createIssue(object, 'value', rule.expected, parent)
  const isTolerable = rule.lenient?.test(value)
  if (!isTolerable) refuse(issue)
  onTolerable(issue)
}

/**
 * Reports that a mandatory object is absent. The lenient profile accepts this of the txid alone: to
 * leave it out means the same as `***`, "none".
 */
function reportAbsence(rule: Rule, onTolerable: IssueHandler, parent?: Place): void {
  const issue = createMissingIssue(rule.id, rule.expected, parent)
  // No other mandatory object has both a word for "none" and lenient values.
  const isTxid = rule.absentValue !== undefined && rule.lenient !== undefined
  if (!isTxid) refuse(issue)
  onTolerable(issue)
}
