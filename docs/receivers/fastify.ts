import { verify, WebhookError } from '@partner-payments/webhooks'
import fastify from 'fastify'
import { inbox } from './inbox.ts'

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ').filter(Boolean)
const app = fastify()

// A plugin of its own: inside it every body stays as it came, outside it Fastify parses JSON as ever.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  webhooks.post<{ Body: Buffer }>('/webhooks', { bodyLimit: 64 * 1024 }, async (request, reply) => {
    const event = await verify(request.body, request.headers, secrets)
    inbox.add(String(request.headers['webhook-id']), event)
    return reply.code(204).send()
  })

  webhooks.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof WebhookError)) throw error
    return reply.code(400).send({ code: error.code })
  })
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
export const server = app.server
