/** Programs that use every entry point of a package, as a file in an empty project. */
export const programs = {
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
