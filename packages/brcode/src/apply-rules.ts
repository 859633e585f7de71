import { twoDigits } from './digits.ts'
import { type Report, refuse } from './error.ts'
import { spelled } from './fit.ts'
import { issueAt, issueMissing, type Place, shown } from './issue.ts'
import type { Rule } from './norm.ts'
import { type Level, writeObject } from './tlv.ts'

/** Reads the values of one level, each held to its rule; `undefined` for what is absent or says nothing. */
export function reader({ at, parent }: Level, tolerate: Report) {
  return (rule: Rule): string | undefined => {
    const object = at[rule.id]
    if (object) checkValue(rule, object, tolerate, parent)
    else if (rule.mandatory) checkAbsence(rule, tolerate, parent)
    return object?.value === rule.blank ? undefined : object?.value
  }
}

/** Writes the objects of one level, each held to its rule; `fit` makes those ASCII that come with a length. */
export function writer(tolerate: Report, fit = false, parent?: Place) {
  return (rule: Rule, given?: string, length?: number): string => {
    const text = given ?? rule.blank
    if (text === undefined && rule.mandatory) checkAbsence(rule, tolerate, parent)
    if (text === undefined) return ''
    const place = { id: twoDigits(rule.id), value: text }
    // A number would pass for an amount, whatever the types say, and 10.50 is written 10.5.
    if (typeof text !== 'string')
      refuse(issueAt({ ...place, value: shown(text) }, 'value', 'a string', parent))
    if (fit && length) place.value = spelled(place, length, parent)
    checkValue(rule, place, tolerate, parent)
    return writeObject(place, parent)
  }
}

/** Holds a value to its rule. */
function checkValue(rule: Rule, object: Place, tolerate: Report, parent?: Place): void {
  const { value = '' } = object
  if (value === rule.blank || rule.strict.test(value)) return
  const report = rule.lenient?.test(value) ? tolerate : refuse
  report(issueAt(object, 'value', rule.expected, parent))
}

// Only a txid has a blank that a lenient reader does without.
function checkAbsence(rule: Rule, tolerate: Report, parent?: Place): void {
  const report = rule.blank && rule.lenient ? tolerate : refuse
  report(issueMissing(rule.id, rule.expected, parent))
}
