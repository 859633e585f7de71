import { twoDigits } from './digits.ts'
import { type Report, refuse } from './error.ts'
import { spelled } from './fit.ts'
import { issueAt, issueMissing, type Place, shown } from './issue.ts'
import type { Rule } from './object-rules.ts'
import { type Level, writeObject } from './tlv.ts'

/** Reads and validates the values of one level; `undefined` for absent and blank values. */
export function reader({ at, parent }: Level, tolerate: Report) {
  return (rule: Rule): string | undefined => {
    const object = at[rule.id]
    if (object) checkValue(rule, object, tolerate, parent)
    else if (rule.mandatory) checkAbsence(rule, tolerate, parent)
    return object?.value === rule.blank ? undefined : object?.value
  }
}

/** Validates and writes the objects of one level; `fit` converts values with a length to ASCII. */
export function writer(tolerate: Report, fit = false, parent?: Place) {
  return (rule: Rule, value?: string, length?: number): string => {
    const text = value ?? rule.blank
    if (text === undefined && rule.mandatory) checkAbsence(rule, tolerate, parent)
    if (text === undefined) return ''
    const place = { id: twoDigits(rule.id), value: text }
    // Without this check a number would be accepted as an amount, and 10.50 becomes 10.5.
    if (typeof text !== 'string')
      refuse(issueAt({ ...place, value: shown(text) }, 'value', 'a string', parent))
    if (fit && length) place.value = spelled(place, length, parent)
    checkValue(rule, place, tolerate, parent)
    return writeObject(place, parent)
  }
}

/** Validates a value by its rule. */
function checkValue(rule: Rule, object: Place, tolerate: Report, parent?: Place): void {
  const { value = '' } = object
  if (value === rule.blank || rule.strict.test(value)) return
  const report = rule.lenient?.test(value) ? tolerate : refuse
  report(issueAt(object, 'value', rule.expected, parent))
}

// Only the blank of a txid is optional in the lenient profile.
function checkAbsence(rule: Rule, tolerate: Report, parent?: Place): void {
  const report = rule.blank && rule.lenient ? tolerate : refuse
  report(issueMissing(rule.id, rule.expected, parent))
}
