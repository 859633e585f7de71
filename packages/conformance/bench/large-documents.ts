/** Documents that are large in one way, and a service that accepts everything. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface LargeDocument {
  readonly name: string
  readonly document: object
}

const OBJECT = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    amount: { type: 'string', pattern: '^[0-9]{1,10}\\.[0-9]{2}$' },
    tags: { type: 'array', maxItems: 5, items: { type: 'string', enum: ['a', 'b', 'c'] } },
  },
}
const CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } }
const RESPONSES = { 200: { description: 'The thing.', content: CONTENT } }

export const LARGE: readonly LargeDocument[] = [
  { name: '400 parameters', document: withParameters(400) },
  { name: '1,000 operations', document: withOperations(1000) },
]

function withParameters(count: number): object {
  const parameters = Array.from({ length: count }, (_, i) => ({
    ...{ name: `p${i}`, in: 'query', schema: { type: 'integer', minimum: i, maximum: i + 100 } },
  }))
  return documentOf({ '/things': { get: { operationId: 'listThings', parameters, responses: RESPONSES } } })
}

function withOperations(count: number): object {
  const requestBody = { required: true, content: CONTENT }
  const paths = Array.from({ length: count }, (_, i) => [
    `/things${i}`,
    { post: { operationId: `createThing${i}`, requestBody, responses: RESPONSES } },
  ])
  return documentOf(Object.fromEntries(paths))
}

function documentOf(paths: object): object {
  const components = { schemas: { Thing: OBJECT } }
  return { openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths, components }
}

const THING = JSON.stringify({ id: '6cc98439-360d-4452-b3c4-57b4d015a819', name: 'a' })

/** A service that responds with the same thing to every request. */
export async function startYes() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(THING)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}
