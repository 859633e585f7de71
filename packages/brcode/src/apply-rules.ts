import { twoDigits } from './digits.ts'
import { type IssueHandler, refuse } from './error.ts'
import { createIssue, createMissingIssue, type Place, shown } from './issue.ts'
import type { Rule } from './object-rules.ts'
import { type Level, writeObject } from './tlv.ts'
import { toAscii } from './to-ascii.ts'

/**
 * Creates the function that reads the values of one level of objects, such as `540510.50`, whose id
 * is 54 and whose value is 10.50. It takes a rule, and returns the value of the object that has the
 * id of the rule. It refuses a value that the rule does not accept, and returns `undefined` if
 * there is no object, or if its value says that there is none, such as the txid `***`.
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
 * Creates the function that writes the objects of one level. It takes a rule and a value, and
 * returns the text of the object: `540510.50` for the rule of amounts and `10.50`. It refuses a
 * value that the rule does not accept. Without a value, it writes the one that says so, such as the
 * txid `***`, or returns an empty text if the rule has none.
 *
 * @param fit Whether to shorten a value to the `length` that comes with it, in ASCII: a name or a
 *   city, which a person has typed.
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
 * Reports that a mandatory object is absent. The lenient profile accepts that of a txid only, which
 * could also be `***`, "none".
 */
function reportAbsence(rule: Rule, onTolerable: IssueHandler, parent?: Place): void {
  const issue = createMissingIssue(rule.id, rule.expected, parent)
  // No other rule has both.
  const isTxid = rule.absentValue !== undefined && rule.lenient !== undefined
  if (!isTxid) refuse(issue)
  onTolerable(issue)
}
