import type { Finding } from '@partner-payments/validator'
import type fc from 'fast-check'
import { below } from '../../model/document.ts'
import type { ArbitraryOf } from './arbitrary.ts'
import type { Change } from './cases.ts'
import { edgesOfSite } from './edges.ts'
import type { Edit } from './edit.ts'
import { type Json, propertyOf } from './json.ts'
import { breakersOfSite } from './keyword-breakers.ts'
import { typesOf } from './parts.ts'
import { child, children, keywordOf, type Place, placeAt, questionOf, referred } from './place.ts'
import type { SchemaContract } from './schema-contract.ts'
import type { Site } from './sites.ts'
import type { ValidValues } from './valid-values.ts'

/** A parameter value before percent-encoding, and its difference from the accepted one. */
export interface ParameterCase {
  /** Undefined: the parameter is left out. */
  readonly value: string | undefined
  readonly change: Change
}

interface Parameter {
  readonly at: Place
  readonly name: string
  readonly in: string
  readonly schema: Place
}

/** Generates values of parameters, as strings before percent-encoding. */
export interface ParameterStrings {
  /** A small valid string; undefined if none is found. */
  validOf(pointer: string): string | undefined
  /** Valid variants of an accepted string. Without a value, the parameter is left out. */
  boundaries(pointer: string, value: string): ParameterCase[]
  /** Invalid variants that HTTP can carry. */
  breaks(pointer: string, value: string): ParameterCase[]
  /** Valid strings; undefined if none is found. */
  arbitraryOf(pointer: string): fc.Arbitrary<string> | undefined
}

/** Strings that parsers convert by mistake, for example to numbers or to nothing. */
const MISREAD_STRINGS =
  `0 -1 1 101 01 +1 1.0 1.5 1e1 1,5 0x10 abc ABC null undefined true NaN Infinity ٣ % %2 # & = ' " ; * 💩`
    .split(' ')
    .concat('', ' ', '\t', '\n', '9'.repeat(20), 'a'.repeat(300))

export function createParameterStrings(
  contract: SchemaContract,
  valid: ValidValues,
  arbitrary: ArbitraryOf,
): ParameterStrings {
  return { validOf, boundaries, breaks, arbitraryOf }

  function validOf(pointer: string): string | undefined {
    const parameter = parameterAt(contract, pointer)
    if (!parameter) return undefined
    const made = () => parameterText(valid.one([parameter.schema]))
    return [...examplesOf(parameter), made()].find((text) => text !== undefined && isRight(parameter, text))
  }

  function arbitraryOf(pointer: string): fc.Arbitrary<string> | undefined {
    const parameter = parameterAt(contract, pointer)
    if (!parameter) return undefined
    return arbitrary([parameter.schema])
      ?.map((value) => parameterText(value) ?? '')
      .filter((text) => isRight(parameter, text))
  }

  function isRight(parameter: Parameter, text: string | undefined): boolean {
    return isSendable(parameter, text) && contract.findingsOfText(parameter.at, text).length === 0
  }

  function boundaries(pointer: string, value: string): ParameterCase[] {
    const parameter = parameterAt(contract, pointer)
    if (!parameter) return []
    const { at, name } = parameter
    const seen = new Set<string | undefined>([value])
    const found = edgesOfSite(siteOf(contract, parameter, value), valid).flatMap((edit): ParameterCase[] => {
      const text = parameterText(edit.value)
      if (text === undefined || seen.has(text) || !isRight(parameter, text)) return []
      seen.add(text)
      return [{ value: text, change: changeOf(name, edit) }]
    })
    const absent = { pointer: '', value: undefined, part: at, keyword: 'required', note: 'left out' }
    const isOptional = keywordOf(at, 'required') !== true
    return isOptional ? [...found, { value: undefined, change: changeOf(name, absent) }] : found
  }

  function breaks(pointer: string, value: string): ParameterCase[] {
    const parameter = parameterAt(contract, pointer)
    if (!parameter) return []
    const edits = breakersOfSite(siteOf(contract, parameter, value), valid)
    const texts = edits
      .map(({ value: it, note }) => [parameterText(it), note] as const)
      .filter(([text]) => text !== undefined)
    const misread = MISREAD_STRINGS.map((text) => [text, `${JSON.stringify(text)} instead`] as const)
    const spaced = [` ${value}`, `${value} `, `${value},${value}`].map(
      (text) => [text, 'with additions'] as const,
    )
    const all = new Map<string | undefined, string>([
      ...texts,
      ...misread,
      ...spaced,
      [undefined, 'left out'],
    ])
    return [...all].flatMap(([text, note]) => brokenCase(parameter, text, note))
  }

  function brokenCase(parameter: Parameter, value: string | undefined, note: string): ParameterCase[] {
    if (!isSendable(parameter, value) || isOnlyLenient(parameter, value)) return []
    const [finding, ...others] = contract.findingsOfText(parameter.at, value)
    return finding && others.length === 0 ? [{ value, change: changeFrom(parameter, finding, note) }] : []
  }

  /** Whether a lenient parser reads a valid number, such as 01, +1, 1.0 or 1e1. */
  function isOnlyLenient(parameter: Parameter, text = ''): boolean {
    const usual = String(Number(text))
    if (text.trim() === '' || usual === text || usual === 'NaN') return false
    return isNumeric(contract.partsOf([parameter.schema])) && isRight(parameter, usual)
  }
}

function isNumeric(parts: readonly Place[]): boolean {
  return ['integer', 'number'].includes(typesOf(parts)[0] ?? '')
}

function parameterAt({ root }: SchemaContract, pointer: string): Parameter | undefined {
  const place = placeAt(root, pointer)
  const at = referred(root, place) ?? place
  const schema = child(at, 'schema')
  if (!schema) return undefined
  return { at, name: String(keywordOf(at, 'name')), in: String(keywordOf(at, 'in')), schema }
}

function examplesOf({ at }: Parameter): (string | undefined)[] {
  const named = children(child(at, 'examples')).map(([, example]) => propertyOf(example.node, 'value'))
  return [propertyOf(at.node, 'example'), ...named].map(parameterText)
}

/** Serializes a value; lists with commas. Objects have no single form. */
function parameterText(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) return value.every((it) => typeof it !== 'object') ? value.join(',') : undefined
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** Whether HTTP can carry the string: headers have no outer spaces, and paths no empty segment. */
function isSendable(parameter: Pick<Parameter, 'in'>, text: string | undefined): boolean {
  if (parameter.in === 'path') return text !== undefined && !['', '.', '..'].includes(text)
  return parameter.in === 'query' || text === undefined || /^([!-~]([ -~]*[!-~])?)?$/.test(text)
}

function siteOf(contract: SchemaContract, { schema }: Parameter, text: string): Site {
  const parts = contract.partsOf([schema])
  const isNumber = isNumeric(parts) && text !== '' && !Number.isNaN(Number(text))
  const value = isNumber ? Number(text) : text
  return { pointer: '', value, body: value, places: [schema], parts, isPresent: true }
}

function changeOf(name: string, { part, keyword, note }: Edit): Change {
  const contract = below(part.pointer, keyword)
  return { pointer: below('', name), contract, keyword, question: questionOf(part, keyword), note }
}

function changeFrom({ at, name }: Parameter, { contract, keyword, question }: Finding, note: string): Change {
  const own = contract === below(at.pointer, 'required') ? questionOf(at, 'required') : question
  return { pointer: below('', name), contract, keyword, question: own, note }
}
