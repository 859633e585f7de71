import { twoDigits } from './digits.ts'
import { type IssueHandler, refuse } from './error.ts'
import { createIssue, issueMissing, type Place, shown } from './issue.ts'
import type { Rule } from './object-rules.ts'
import { type Level, writeObject } from './tlv.ts'
import { toAscii } from './to-ascii.ts'

/**
 * Creates the function that reads the values of one level: it returns the value of a rule's object,
 * or `undefined` if that is absent or blank. It refuses a value that the rule does not accept.
 */
export function createReader({ at, parent }: Level, onTolerable: IssueHandler) {
  return (rule: Rule): string | undefined => {
    const object = at[rule.id]
    if (!object) {
      if (rule.mandatory) reportAbsence(rule, onTolerable, parent)
      return undefined
    }

    checkValue(rule, object, onTolerable, parent)
    return object.value === rule.blank ? undefined : object.value
  }
}

/**
 * Creates the function that writes the objects of one level: it returns the object of a rule with a
 * value, or nothing for an absent value. It refuses a value that the rule does not accept.
 *
 * @param fit whether values that are written with a length are converted to ASCII of that length
 */
export function createWriter(onTolerable: IssueHandler, fit = false, parent?: Place) {
  return (rule: Rule, value?: string, length?: number): string => {
    const text = value ?? rule.blank
    if (text === undefined) {
      if (rule.mandatory) reportAbsence(rule, onTolerable, parent)
      return ''
    }

    const place = { id: twoDigits(rule.id), value: text }
    // Without this check a number would be accepted as an amount, and 10.50 becomes 10.5.
    if (typeof text !== 'string')
      refuse(createIssue({ ...place, value: shown(text) }, 'value', 'a string', parent))

    if (fit && length) place.value = toAscii(place, length, parent)
    checkValue(rule, place, onTolerable, parent)
    return writeObject(place, parent)
  }
}

/** Validates a value by its rule. */
function checkValue(rule: Rule, object: Place, onTolerable: IssueHandler, parent?: Place): void {
  const { value = '' } = object
  if (value === rule.blank || rule.strict.test(value)) return

  const isTolerable = rule.lenient?.test(value) ?? false
  const handleIssue = isTolerable ? onTolerable : refuse
  handleIssue(createIssue(object, 'value', rule.expected, parent))
}

function reportAbsence(rule: Rule, onTolerable: IssueHandler, parent?: Place): void {
  // Only the blank of a txid is optional in the lenient profile.
  const isTolerable = rule.blank !== undefined && rule.lenient !== undefined
  const handleIssue = isTolerable ? onTolerable : refuse
  handleIssue(issueMissing(rule.id, rule.expected, parent))
}
