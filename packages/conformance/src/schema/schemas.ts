import { brokenCases, type Case, edgeCases } from './cases.ts'
import { createContract } from './contract.ts'
import type { EdgeOptions } from './edges.ts'
import type { Json } from './json.ts'
import { placeAt } from './place.ts'
import { createValid, type Make } from './valid.ts'

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
  validOf(pointer: string, options?: Partial<Make>): Json | undefined
  /** Valid neighbours of an accepted value: the inside of each edge of each keyword. */
  boundaries(pointer: string, value: Json, options?: EdgeOptions): Case[]
  /** Neighbours of an accepted value that are one keyword's edit each, which the validator finds broken. */
  breaks(pointer: string, value: Json): Case[]
}

/**
 * Reads an OpenAPI 3.1 document, which must not be changed afterwards. Pointers are JSON pointers (RFC 6901) to its
 * schemas.
 *
 * @throws ContractError where the validator cannot read the document.
 *
 * @example
 * const schemas = createSchemas(document)
 * const body = schemas.validOf('/components/schemas/CheckKeyRequest')
 */
export function createSchemas(document: object): Schemas {
  const contract = createContract(document)
  const valid = createValid(contract)
  return {
    validOf: (pointer, { example = true } = {}) => valid.one([placeAt(contract.root, pointer)], { example }),
    boundaries: (pointer, value, options = {}) => edgeCases(contract, valid, { pointer, value, options }),
    breaks: (pointer, value) => brokenCases(contract, valid, { pointer, value }),
  }
}
