import { choicesOf } from './choices.ts'
import { type Edit, edit } from './edit.ts'
import { isObject, type Json } from './json.ts'
import { child, children, keywordOf, type Place } from './place.ts'
import type { Site } from './sites.ts'
import type { ValidValues } from './valid-values.ts'

/** Values that match no branch, or several at once. */
export function noBranch(part: Place, site: Site, valid: ValidValues): Edit[] {
  const branches = choicesOf(part).flatMap((it) => it.branches)
  const values = branches
    .map((branch) => valid.one(branch, { example: true }))
    .filter((it) => it !== undefined)
  const both = Object.assign({}, ...values.filter(isObject)) as Json
  const others: readonly Json[] = [null, true, 0, 'a', [], {}, both, ...values]
  const keyword = keywordOf(part, 'oneOf') === undefined ? 'anyOf' : 'oneOf'
  return others.map((value) =>
    edit(site, part, keyword, { value, note: 'a match of no branch, or of several' }),
  )
}

/** Values that match the schema of `not`. */
export function matchingNot(part: Place, site: Site, valid: ValidValues): Edit[] {
  const not = child(part, 'not')
  const value =
    not &&
    valid.one([...site.places.filter((it) => keywordOf(it, 'not') === undefined), not], { example: true })
  const properties = children(child(not ?? part, 'properties')).map(([name]) => name)
  const own = not && valid.one([not], { example: true })
  const merged = isObject(own) && isObject(site.value) ? [{ ...site.value, ...own }] : []
  const all = [value, own, ...merged].filter((it) => it !== undefined)
  const note = properties.length > 0 ? `an object with ${properties.join(', ')}` : 'what `not` excludes'
  return all.map((it) => edit(site, part, 'not', { value: it, note }))
}
