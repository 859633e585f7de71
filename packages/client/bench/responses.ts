import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

const { emailKey, keySettled, notFound, unavailable, webhook } = contract.components.examples

// Each function creates a new response, since a body can be read only once.

export const keyFound = (): Response => json(200, emailKey.value)
export const transferMade = (): Response => json(201, keySettled.value)
export const webhookFound = (): Response => json(200, webhook.value)
export const problemNotFound = (): Response => json(404, notFound.value, 'application/problem+json')
export const problemUnavailable = (): Response =>
  json(503, unavailable.value, 'application/problem+json')
export const badGateway = (): Response =>
  respond(502, '<html><body>Bad Gateway</body></html>', 'text/html')
export const empty = (status: number): Response => respond(status, '', 'application/json')

/** A success whose JSON is not that of the operation. */
export const unproven = (status: number, value: object): Response => json(status, value)

function json(status: number, value: unknown, type = 'application/json'): Response {
  return respond(status, JSON.stringify(value), type)
}

function respond(status: number, body: string, type: string): Response {
  const length = String(Buffer.byteLength(body))
  return new Response(body, { status, headers: { 'content-type': type, 'content-length': length } })
}
