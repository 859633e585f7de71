import { createValidator, type Validator } from '@partner-payments/validator'
import fc from 'fast-check'
import { type ArbitraryOf, createArbitrary } from './arbitrary.ts'
import { brokenCaseFrom, brokenCases, type Case, edgeCases } from './cases.ts'
import type { Json } from './json.ts'
import { createParameters, isSendable, type ParameterCase, parameterText } from './parameter-strings.ts'
import { placeAt } from './place.ts'
import { createSchemaContract, type SchemaContract } from './schema-contract.ts'
import type { EdgeOptions } from './string-edges.ts'
import { createValidValues, type ValidOptions, type ValidValues } from './valid-values.ts'

/**
 * Values of the schemas of one document. Everything is the same from call to call.
 *
 * @example
 * const schemas: Schemas = createSchemas(document)
 */
export interface Schemas {
  /**
   * A small valid value; undefined where none is found.
   *
   * @throws TypeError where the pointer leads to no place of the document, as all of these.
   */
  validOf(pointer: string, options?: Partial<ValidOptions>): Json | undefined
  /** Valid neighbours of an accepted value: the inside of each edge of each keyword. */
  boundaries(pointer: string, value: Json, options?: EdgeOptions): Case[]
  /** Neighbours of an accepted value that are one keyword's edit each, which the validator finds broken. */
  breaks(pointer: string, value: Json): Case[]
  /** Valid values, shrinking towards small ones; undefined where no value is found. */
  arbitraryOf(pointer: string): fc.Arbitrary<Json> | undefined
  /** Values that break one keyword and nothing else, each with its accepted twin. */
  brokenArbitraryOf(pointer: string): fc.Arbitrary<InvalidVariant> | undefined
  /**
   * The same of parameters, whose pointers lead to a parameter object or to what refers to one. Values are texts, not
   * encoded. A parameter with `content` in the place of a schema has no cases.
   */
  readonly parameters: ParameterStrings
}

/** A broken value and the accepted one that it was made of. */
export interface InvalidVariant extends Case {
  readonly accepted: Json
}

/** Texts of the parameters of one document. */
export interface ParameterStrings {
  /** A small valid text; undefined where none is found. */
  validOf(pointer: string): string | undefined
  /** Valid neighbours of an accepted text; one without body leaves the parameter out. */
  boundaries(pointer: string, value: string): ParameterCase[]
  /** Neighbours that break one keyword, as far as HTTP can carry them there. */
  breaks(pointer: string, value: string): ParameterCase[]
  /** Valid texts; undefined where none is found. */
  arbitraryOf(pointer: string): fc.Arbitrary<string> | undefined
}

/**
 * Reads an OpenAPI 3.1 document, which must not be changed afterwards. Pointers are JSON pointers (RFC 6901) to its
 * schemas. A validator of it saves the time to make one.
 *
 * @throws ContractError where the validator cannot read the document.
 *
 * @example
 * const schemas = createSchemas(document)
 * const body = schemas.validOf('/components/schemas/CheckKeyRequest')
 */
export function createSchemas(document: object, validator?: Validator): Schemas {
  const schemas = known.get(document) ?? schemasOf(validator ?? createValidator(document))
  known.set(document, schemas)
  return schemas
}

/** To compile the schemas of a document takes long, and they stay as they are. */
const known = new WeakMap<object, Schemas>()

function schemasOf(validator: Validator): Schemas {
  const contract = createSchemaContract(validator)
  const valid = createValidValues(contract)
  const arbitrary = createArbitrary(contract, valid)
  const at = (pointer: string) => [placeAt(contract.root, pointer)]
  return {
    validOf: (pointer, { example = true } = {}) => valid.one(at(pointer), { example }),
    boundaries: (pointer, value, options = {}) =>
      cached(value, `${pointer} ${options.nul}`, () =>
        edgeCases(contract, valid, { pointer, value, options }),
      ),
    breaks: (pointer, value) => brokenCases(contract, valid, { pointer, value }),
    arbitraryOf: (pointer) => arbitrary(at(pointer)),
    brokenArbitraryOf: (pointer) => {
      const accepted = arbitrary(at(pointer))
      return (
        accepted &&
        brokenArbitrary(accepted, (value, number) =>
          brokenCaseFrom(contract, valid, { pointer, value, number }),
        )
      )
    },
    parameters: parametersOf(contract, valid, arbitrary),
  }
}

/** Cases by the value that they were made of: those of an example are asked for by several rules. */
const cases = new WeakMap<object, Map<string, Case[]>>()

function cached(value: Json, key: string, make: () => Case[]): Case[] {
  if (typeof value !== 'object' || value === null) return make()
  const known = cases.get(value) ?? new Map<string, Case[]>()
  cases.set(value, known)
  const found = known.get(key) ?? make()
  known.set(key, found)
  return found
}

function brokenArbitrary(
  accepted: fc.Arbitrary<Json>,
  breakIt: (value: Json, number: number) => Case | undefined,
): fc.Arbitrary<InvalidVariant> {
  return fc
    .tuple(accepted, fc.nat(100_000))
    .map(([value, number]) => ({ accepted: value, ...breakIt(value, number) }))
    .filter((it): it is InvalidVariant => 'body' in it)
}

function parametersOf(
  contract: SchemaContract,
  valid: ValidValues,
  arbitrary: ArbitraryOf,
): ParameterStrings {
  const { validOf, boundaries, breaks, find } = createParameters(contract, valid)
  return { validOf, boundaries, breaks, arbitraryOf }

  function arbitraryOf(pointer: string): fc.Arbitrary<string> | undefined {
    const parameter = find(pointer)
    if (!parameter) return undefined
    return arbitrary([parameter.schema])
      ?.map((value) => parameterText(value) ?? '')
      .filter(
        (text) => isSendable(parameter, text) && contract.findingsOfText(parameter.at, text).length === 0,
      )
  }
}
