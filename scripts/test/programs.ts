/** The first program of a new user for each package, as a file in an empty project. */
export const programs = {
  brcode: `
import { decode } from '@partner-payments/brcode'

const code = decode('00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4')
console.log(code.kind)
`,
  webhooks: `
import { generateSecret, signForTest, verify } from '@partner-payments/webhooks'

const secret = generateSecret()
const delivery = await signForTest({ type: 'qrcode.paid', timestamp: '2026-11-02T14:30:04Z', data: {} }, secret)
console.log((await verify(delivery.body, delivery.headers, secret)).type)
`,
  client: `
import { createPayments } from '@partner-payments/client'
import { createTransfer } from '@partner-payments/client/fixtures'
import { validation } from '@partner-payments/client/validation'
import { generateSecret } from '@partner-payments/client/webhooks'

const auth = { clientKey: 'partner', clientSecret: 'secret' }
const payments = createPayments({ baseUrl: process.argv[2], auth, fetch: validation({ mode: 'enforce' }) })
const payee = await payments.keys.check('beltrana@example.com')
const paid = await payee.pay({ amount: '25.00' })
if (!generateSecret() || !createTransfer.response[409]) throw new Error('an entry point returned nothing')
console.log(payee.owner_name, paid.status)
`,
  spec: `
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }

console.log(contract.openapi, Object.keys(contract.paths).length > 10, 'paths' in guide, 'signature' in questions)
`,
  validator: `
import { createValidator } from '@partner-payments/validator'

const request = { method: 'POST', path: '/mobile-bff/v1/pix/dict/check/', headers: { authorization: 'Bearer any', 'content-type': 'application/json' }, body: {} }
console.log(createValidator().validateRequest(request).map(({ keyword }) => keyword).join())
`,
  conformance: `
import { check } from '@partner-payments/conformance'

console.log(typeof check)
`,
}

/** Uses every entry point of the client by its types. */
export const typedClient = `
import { createPayments, type Payments } from '@partner-payments/client'
import { createTransfer } from '@partner-payments/client/fixtures'
import { mockPayments } from '@partner-payments/client/msw'
import { paymentsQueries } from '@partner-payments/client/react-query'
import { validation } from '@partner-payments/client/validation'
import { verify, type WebhookEvent } from '@partner-payments/client/webhooks'
import { QueryClient } from '@tanstack/react-query'
import { setupServer } from 'msw/node'

const baseUrl = 'http://127.0.0.1:4010'
const auth = { clientKey: 'partner', clientSecret: 'secret' }
const payments: Payments = createPayments({ baseUrl, auth, fetch: validation({ mode: 'enforce' }) })

const { handlers, handle } = mockPayments({ baseUrl })
const server = setupServer(...handlers)
server.use(handle.createTransfer(409))

export const code: string = createTransfer.response[409].initiationUsed.code
export const users = new QueryClient().fetchQuery(paymentsQueries(payments).users.list())
export const count = async (): Promise<number> => (await users).users.length
export const event = (request: Request): Promise<WebhookEvent> => verify('{}', request.headers, 'secret')

// @ts-expect-error the contract has no such status
server.use(handle.createTransfer(418))

// @ts-expect-error an amount is a string
export const wrong = (await payments.keys.check('beltrana@example.com')).pay({ amount: 25 })
`
