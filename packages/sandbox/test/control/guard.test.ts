import { afterAll, describe, expect, test } from 'vitest'
import { createRequest, parseResponse } from '../callers.ts'
import { start } from '../started.ts'

const sandbox = await start()
afterAll(sandbox.close)

const STATIC = { dict_key: '12ABC34501DE35', amount: '1.00' }

describe('the guard of /_sandbox', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1', 'http://localhost'])(
    'refuses the origin %s, whatever it asks for',
    async (origin) => {
      for (const request of ['GET /state', 'POST /reset', 'DELETE /faults/1']) {
        const { status, body } = await ask({ origin }, request)
        expect(status).toBe(403)
        expect(body.detail).toBe('The origin must be that of the sandbox.')
      }
    },
  )

  test.each(['cross-site', 'same-site'])(
    'refuses Sec-Fetch-Site: %s without Origin',
    async (site) => {
      for (const path of ['/reconcile', '/state', '/stream', '/clock']) {
        const { status, body } = await ask({ 'sec-fetch-site': site }, `GET ${path}`)
        const detail = 'The request must not come from a page of another origin.'
        expect(status).toBe(403)
        expect(body.detail).toBe(detail)
      }
    },
  )

  test.each(['same-origin', 'none'])('accepts a request with Sec-Fetch-Site: %s', async (site) => {
    expect((await ask({ 'sec-fetch-site': site }, 'GET /reconcile')).status).toBe(200)
  })

  test.each(['/reset', '/%72eset', '/reset?to=/_sandbox/receiver', '/qrcodes/1/pay'])(
    'refuses a delivery to %s',
    async (path) => {
      const { status, body } = await ask({ 'webhook-id': 'msg_1' }, `POST ${path}`)
      expect(status).toBe(403)
      expect(body.detail).toBe('Send deliveries to /_sandbox/receiver.')
    },
  )

  test('lets no webhook pay a code with each event', async () => {
    const { id } = await sandbox.partner.qrcodes.createStatic(STATIC)
    const url = `${sandbox.url}/_sandbox/qrcodes/${id}/pay`
    await sandbox.partner.webhooks.create({ type: 'all', url })
    await sandbox.control('POST', `/qrcodes/${id}/pay`)
    await sandbox.worker.idle()
    const { incoming } = await sandbox.state()
    expect(incoming.length).toBe(1)
  })

  test('sends responses that no other site can read and nothing caches', async () => {
    const { headers } = await sandbox.control('GET', '/clock')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('is absent with control: false, like the control API and its faults', async () => {
    const bare = await start({ control: false })
    for (const path of ['/state', '/stream', '/clock', '/magic']) {
      const { status } = await bare.control('GET', path)
      expect(status).toBe(404)
    }

    const reset = await bare.control('POST', '/reset')
    expect(reset.status).toBe(404)

    const { access_token } = await bare.partner.auth.signIn()
    const headers = { authorization: `Bearer ${access_token}`, 'x-sandbox-fault': 'status=503' }
    const users = await fetch(`${bare.url}/mobile-bff/v1/partner/user`, { headers })
    expect(users.status).toBe(200)

    await bare.close()
  })
})

async function ask(headers: Record<string, string>, line: string) {
  const [method = '', path] = line.split(' ')
  const request = createRequest(method, `/_sandbox${path}`, { headers })
  return parseResponse(await sandbox.fetch(request))
}
