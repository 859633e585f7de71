import { twoDigits } from './digits.ts'
import { type IssueHandler, refuse } from './error.ts'
import { createIssue, createMissingIssue, type Place, shown } from './issue.ts'
import type { Rule } from './object-rules.ts'
import { type Level, writeObject } from './tlv.ts'
import { toAscii } from './to-ascii.ts'

/**
 * Creates the function that reads the values of one level of objects. It returns the value of the
 * object that a rule is about, and refuses a value that the rule does not accept. `undefined` if
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
    const isAbsent = object.value === rule.absentValue
    return isAbsent ? undefined : object.value
  }
}

/**
 * Creates the function that writes the objects of one level. It returns the text of the object that
 * a rule is about, and refuses a value that the rule does not accept. Without a value, the object
 * gets the one that says so, such as the txid `***`, or is left out: then the text is empty.
 *
 * @param fit Whether values that are written with a length are converted to ASCII of that length.
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
 * Refuses a value that its rule does not accept. A value that only the lenient rule accepts goes to
 * `onTolerable`, which refuses it too in the strict profile.
 */
function checkValue(rule: Rule, object: Place, onTolerable: IssueHandler, parent?: Place): void {
  const { value = '' } = object
  if (value === rule.absentValue || rule.strict.test(value)) return

  const issue = createIssue(object, 'value', rule.expected, parent)
  const isTolerable = rule.lenient?.test(value)
  if (!isTolerable) refuse(issue)
  onTolerable(issue)
}

/** Reports that a mandatory object is absent, which the lenient profile accepts of a txid. */
function reportAbsence(rule: Rule, onTolerable: IssueHandler, parent?: Place): void {
  const issue = createMissingIssue(rule.id, rule.expected, parent)
  const isTxid = rule.absentValue !== undefined && rule.lenient !== undefined
  if (!isTxid) refuse(issue)
  onTolerable(issue)
}
