import { readSecrets, verify, WebhookError } from '@partner-payments/webhooks'
import fastify, { type FastifyError } from 'fastify'
import { inbox } from './inbox.ts'

// Refuses a wrong secret now, and not at the first delivery.
const secrets = readSecrets(process.env.WEBHOOK_SECRETS)
const app = fastify()

// A plugin of its own: inside it every body stays as it came, outside it Fastify parses JSON as
// ever.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  // Fastify refuses a content type that is none before it asks a parser, and the bytes are signed
  // all the same.
  webhooks.addHook('onRequest', async (request) => {
    delete request.headers['content-type']
  })

  webhooks.post<{ Body?: Buffer }>(
    '/webhooks',
    { bodyLimit: 128 * 1024 },
    async (request, reply) => {
      // Undefined where no body came, which is the sender's fault and not a parser's.
      const body = request.body ?? ''
      await verify(body, request.headers, secrets)
      inbox.add(String(request.headers['webhook-id']), body)
      return reply.code(204).send()
    },
  )

  webhooks.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (error instanceof WebhookError && error.status === 400)
      return reply.code(400).send({ code: error.code })
    const status = error.statusCode ?? 500
    if (status >= 500) console.error(error)
    // Fastify itself would respond with the message.
    return reply.code(status).send()
  })
})

// Without a host, Fastify listens for this machine alone.
await app.listen({ host: '0.0.0.0', port: Number(process.env.PORT ?? 3000) })
export const server = app.server
