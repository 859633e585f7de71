import { createValidator, type Finding, type Validator } from '@partner-payments/validator'
import type { Json } from './json.ts'
import { children, type Place, partsOf, placeAt, rootOf } from './place.ts'

/** A document whose schemas can be asked about values. */
export interface Contract {
  readonly root: Place
  /** The schemas that hold wherever these hold. */
  partsOf(places: readonly Place[]): readonly Place[]
  /** What is wrong with a value by the schema at a pointer. */
  findingsOf(pointer: string, value: Json): readonly Finding[]
  /** Whether a value is one of every schema. */
  fits(places: readonly Place[], value: Json): boolean
  /** What is wrong with the text of a parameter; undefined: it was left out. */
  findingsOfText(parameter: Place, text: string | undefined): readonly Finding[]
}

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Schemas inside a schema: by keyword one, or several by name or number. */
const ONE =
  `items additionalProperties unevaluatedItems unevaluatedProperties contains propertyNames not if then
  else`.split(/\s+/)
const SEVERAL = 'properties patternProperties dependentSchemas allOf anyOf oneOf prefixItems'.split(' ')

/**
 * Reads a document. The validator takes whole messages only, so each schema is put before it as the body of a webhook
 * of its own.
 *
 * @throws ContractError where the document is none that the validator can read.
 */
export function createContract(document: object): Contract {
  const root = rootOf(document)
  const parts = new Map<string, readonly Place[]>()
  const validator = createValidator(withBodies(document, schemasOf(root)))
  const others = new Map<string, Validator>()
  const known = new Set(validator.deliveries.map(({ path }) => path))
  return { root, partsOf: all, findingsOf, fits, findingsOfText }

  function all(places: readonly Place[]): readonly Place[] {
    const found = places.flatMap((place) => {
      const key = `${place.pointer} ${place.question}`
      const own = parts.get(key) ?? partsOf(root, place)
      parts.set(key, own)
      return own
    })
    return [...new Map(found.map((part) => [part.pointer, part])).values()]
  }

  function findingsOf(pointer: string, body: Json): readonly Finding[] {
    const asked = known.has(nameOf(pointer)) ? validator : otherOf(pointer)
    return asked.validateDelivery({ name: nameOf(pointer), headers: JSON_HEADERS, body })
  }

  function otherOf(pointer: string): Validator {
    const made = others.get(pointer) ?? createValidator(withBodies(document, [placeAt(root, pointer)]))
    others.set(pointer, made)
    return made
  }

  function fits(places: readonly Place[], value: Json): boolean {
    return places.every(({ pointer }) => findingsOf(pointer, value).length === 0)
  }

  function findingsOfText(parameter: Place, text: string | undefined): readonly Finding[] {
    const name = `parameter ${parameter.pointer}`
    const made = others.get(name) ?? createValidator(withParameter(document, parameter, name))
    others.set(name, made)
    const query = text === undefined ? '' : `it=${encodeURIComponent(text)}`
    return made
      .validateDelivery({ name, query })
      .map((it) => ({ ...it, contract: original(it.contract, parameter) }))
  }
}

function nameOf(pointer: string): string {
  return `schema ${pointer}`
}

function withBodies(document: object, schemas: readonly Place[]): object {
  const webhooks = schemas.map(({ pointer }) => {
    const schema = { $ref: `#${encodeURI(pointer)}` }
    return [nameOf(pointer), { post: { requestBody: { content: { 'application/json': { schema } } } } }]
  })
  return withWebhooks(document, Object.fromEntries(webhooks))
}

/** In the query, for a webhook has no path; its text is read the same way. */
function withParameter(document: object, parameter: Place, name: string): object {
  const { required = false } = parameter.node as { required?: boolean }
  const schema = { $ref: `#${encodeURI(`${parameter.pointer}/schema`)}` }
  const parameters = [{ name: 'it', in: 'query', required, schema }]
  return withWebhooks(document, { [name]: { post: { parameters } } })
}

function withWebhooks(document: object, webhooks: object): object {
  return { ...document, webhooks: { ...(document as { webhooks?: object }).webhooks, ...webhooks } }
}

/** The parameter itself in the place of its stand-in. */
function original(contract: string, { pointer }: Place): string {
  return /^\/webhooks\/parameter .*\/post\/parameters\/0\/required$/.test(contract)
    ? `${pointer}/required`
    : contract
}

/** All schemas of a document: those of its components and of its messages, and those inside them. */
function schemasOf(root: Place): Place[] {
  const found: Place[] = []
  search(root)
  return found

  function search(place: Place): void {
    for (const [name, inner] of children(place)) {
      if (name === 'example' || name === 'examples') continue
      if (name === 'schema' || place.pointer === '/components/schemas') take(inner)
      else search(inner)
    }
  }

  function take(schema: Place): void {
    found.push(schema)
    for (const [keyword, at] of children(schema)) {
      if (ONE.includes(keyword)) take(at)
      if (SEVERAL.includes(keyword)) for (const [, inner] of children(at)) take(inner)
    }
  }
}
