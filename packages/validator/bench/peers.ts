import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { validateInput, validateOutput } from '@stoplight/prism-http/dist/validator/index.js'
import * as formats from 'ajv-formats'
import { OpenAPIBackend } from 'openapi-backend'

/** A validator of createTransfer requests and responses; returns true for a valid message. */
export interface Peer {
  readonly name: string
  readonly request: (body: object) => boolean
  readonly response: (body: object) => boolean
}

const path = '/mobile-bff/v1/pix/out/'
const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' }

/**
 * The validator of openapi-backend, in the form in which the benchmark compares validators. It runs
 * in quick mode, since it otherwise refuses OpenAPI 3.1.
 */
export function createBackendPeer(
  document: object,
): Peer & { find: (method: string, path: string) => unknown } {
  const api = new OpenAPIBackend({
    definition: structuredClone(document) as never,
    quick: true,
    ajvOpts: { strict: false },
    customizeAjv: (ajv) => formats.default.default(ajv),
  })
  void api.init()
  const request = (body: object) =>
    api.validator.validateRequest({ method: 'post', path, headers, body }, 'createTransfer').valid
  const response = (body: object) => {
    const status = { statusCode: 201 }
    const bodyResult = api.validator.validateResponse(body, 'createTransfer', 201)
    if (!bodyResult.valid) return false
    return api.validator.validateResponseHeaders(headers, 'createTransfer', status).valid
  }
  const find = (method: string, path: string) =>
    api.router.matchOperation({ method, path, headers: {} })
  return { name: 'openapi-backend', request, response, find }
}

/** The validator of Prism, in the form in which the benchmark compares validators. */
export async function createPrismPeer(document: object): Promise<Peer> {
  const operations = await getHttpOperationsFromSpec(structuredClone(document))
  const resource = operations.find(({ iid }) => iid === 'createTransfer')
  if (!resource) throw new Error('Prism does not know createTransfer')
  const isRight = (result: { _tag: string }) => result._tag === 'Right'
  return {
    name: 'prism',
    request: (body) => {
      const element = { method: 'post' as const, url: { path }, headers, body }
      return isRight(validateInput({ resource, element }))
    },
    response: (body) => {
      const element = { statusCode: 201, headers, body }
      return isRight(validateOutput({ resource, element }))
    },
  }
}
