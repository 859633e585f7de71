import type { Replacement } from './edit.ts'
import { isObject, type Json } from './json.ts'
import { UNKNOWN_NAME } from './parts.ts'
import { rounded } from './valid-numbers.ts'

/** Values of all other types, and values that a lenient parser converts to the right one. */
export function valuesOfOtherTypes(types: readonly string[], value: Json): Replacement[] {
  const others: readonly (readonly [type: string, value: Json, note: string])[] = [
    ['null', null, 'null'],
    ['boolean', true, 'true'],
    ['integer', 0, 'a number'],
    ['number', 1.5, 'a decimal number'],
    ['string', 'a', 'a string'],
    ['string', '', 'an empty string'],
    ['array', [], 'an empty array'],
    ['object', {}, 'an empty object'],
    ['array', [value], 'wrapped in an array'],
    ...lookalikes(value),
  ]
  return others
    .filter(([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')))
    .map(([, value, note]) => ({ value, note }))
}

function lookalikes(value: Json): (readonly [type: string, value: Json, note: string])[] {
  if (typeof value === 'number')
    return [
      ['string', String(value), 'the number as a string'],
      ['number', rounded(value + 0.5), 'not an integer'],
    ]
  if (typeof value === 'boolean')
    return [
      ['string', String(value), 'the boolean as a string'],
      ['integer', Number(value), '0 or 1'],
    ]
  if (Array.isArray(value))
    return [
      ['string', value.join(','), 'serialized as a string'],
      ['object', { ...value }, 'written as an object'],
    ]
  if (typeof value === 'string') return numericValue(value)
  return isObject(value) ? [['string', JSON.stringify(value), 'serialized as a string']] : []
}

function numericValue(text: string): (readonly [type: string, value: Json, note: string])[] {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? [] : [['number', number, 'the string as a number']]
}

/** Values close to the allowed ones. */
export function nearMisses(values: readonly Json[], value: Json): Replacement[] {
  const texts = values.filter((it) => typeof it === 'string')
  const own = typeof value === 'string' ? value : (texts[0] ?? '')
  const cases = [
    own.toLowerCase(),
    own.toUpperCase(),
    `${own.slice(0, 1).toUpperCase()}${own.slice(1).toLowerCase()}`,
  ]
  const others: Replacement[] = [
    ...[...new Set(cases)].map((it) => ({ value: it, note: 'written in another case' })),
    { value: `${own} `, note: 'followed by a space' },
    { value: ` ${own}`, note: 'preceded by a space' },
    { value: `${own}x`, note: 'followed by a letter' },
    { value: own.slice(0, -1), note: 'shortened by its last letter' },
    { value: '', note: 'empty' },
    { value: UNKNOWN_NAME, note: 'an unknown value' },
    ...values
      .filter((it) => typeof it === 'number')
      .flatMap((it) => [
        { value: it + 1, note: 'one more' },
        { value: it - 1, note: 'one less' },
      ]),
    ...values.filter((it) => typeof it === 'boolean').map((it) => ({ value: !it, note: 'the opposite' })),
  ]
  const known = new Set(values.map((it) => JSON.stringify(it)))
  return others.filter((to) => !known.has(JSON.stringify(to.value)))
}
