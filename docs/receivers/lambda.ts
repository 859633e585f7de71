import { readSecrets, verify, WebhookError } from '@partner-payments/webhooks'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { keep } from './keep.ts'

const secrets = readSecrets(process.env.WEBHOOK_SECRETS)

/** A receiver of webhooks as a function of AWS Lambda, behind an HTTP API or a function URL. */
export async function handler(
  event: APIGatewayProxyEventV2,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { headers, body = '', isBase64Encoded } = event
  try {
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
    await verify(bytes, headers, secrets)
    await keep(headers['webhook-id'] ?? '', bytes)
    return { statusCode: 204 }
  } catch (error) {
    return refuse(error)
  }
}

/**
 * The response to an event that was not stored: 400 for a wrong signature, which no retry corrects,
 * otherwise 500, after which the service sends the event again.
 */
function refuse(error: unknown): APIGatewayProxyStructuredResultV2 {
  if (error instanceof WebhookError && error.status === 400) {
    const headers = { 'content-type': 'application/json' }
    return { statusCode: 400, headers, body: JSON.stringify({ code: error.code }) }
  }
  console.error(error)
  return { statusCode: 500 }
}
