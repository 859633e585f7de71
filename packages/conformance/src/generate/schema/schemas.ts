import { createValidator, type Validator } from '@partner-payments/validator'
import fc from 'fast-check'
import { createArbitrary } from './arbitrary.ts'
import { brokenCaseFrom, brokenCases, type Case, edgeCases } from './cases.ts'
import type { Json } from './json.ts'
import { createParameterStrings, type ParameterStrings } from './parameter-strings.ts'
import { placeAt } from './place.ts'
import { createSchemaContract } from './schema-contract.ts'
import { createValidValues } from './valid-values.ts'

/**
 * Generates values of the schemas of one document. All results are deterministic.
 *
 * @example
 * const schemas: Schemas = createSchemas(document)
 */
export interface Schemas {
  /**
   * A small valid value; undefined if none is found.
   *
   * @throws {TypeError} if the pointer leads nowhere, as do all methods
   */
  validOf(pointer: string): Json | undefined
  /** Valid variants of an accepted value, at the boundaries of each keyword. */
  boundaries(pointer: string, value: Json): Case[]
  /** Invalid variants of an accepted value, each with one change. */
  breaks(pointer: string, value: Json): Case[]
  /** Valid values, which shrink towards small ones; undefined if none is found. */
  arbitraryOf(pointer: string): fc.Arbitrary<Json> | undefined
  /** Values that break exactly one keyword, with the valid values that they are made from. */
  brokenArbitraryOf(pointer: string): fc.Arbitrary<InvalidVariant> | undefined
  /**
   * The same for parameters: pointers lead to a parameter object or a reference to one, and values are strings
   * before percent-encoding. A parameter with `content` has no cases.
   */
  readonly parameters: ParameterStrings
}

/** An invalid value, and the valid one that it is made from. */
export interface InvalidVariant extends Case {
  readonly accepted: Json
}

/**
 * Reads an OpenAPI 3.1 document, which must not be modified afterwards. Pointers are JSON pointers (RFC 6901) to
 * its schemas. Pass an existing validator to avoid compiling another.
 *
 * @throws {ContractError} if the validator cannot read the document
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

/** Compiling the schemas of a document is slow. */
const known = new WeakMap<object, Schemas>()

function schemasOf(validator: Validator): Schemas {
  const contract = createSchemaContract(validator)
  const valid = createValidValues(contract)
  const arbitrary = createArbitrary(contract, valid)
  const cached = createCache()
  const at = (pointer: string) => [placeAt(contract.root, pointer)]
  return {
    validOf: (pointer) => valid.one(at(pointer)),
    boundaries: (pointer, value) =>
      cached(value, `${pointer} valid`, () => edgeCases(contract, valid, { pointer, value })),
    breaks: (pointer, value) =>
      cached(value, `${pointer} broken`, () => brokenCases(contract, valid, { pointer, value })),
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
    parameters: createParameterStrings(contract, valid, arbitrary),
  }
}

/** Several rules need the variants of the same example, and a rule may need those of one request again and again. */
function createCache() {
  const cases = new WeakMap<object, Map<string, Case[]>>()
  return (value: Json, key: string, make: () => Case[]): Case[] => {
    if (typeof value !== 'object' || value === null) return make()
    const known = cases.get(value) ?? new Map<string, Case[]>()
    cases.set(value, known)
    const found = known.get(key) ?? make()
    known.set(key, found)
    return found
  }
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
