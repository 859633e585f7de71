import type { Questions } from './contract.ts'
import { paragraphs, prose } from './text.ts'

/** The checklist before a program pays with real money. */
export function goLivePage(questions: Questions) {
  const title = 'Before you go live'
  const summary =
    'A checklist: the address, tokens, the questions about money to ask the provider, a check of the service, webhooks, rejected transfers, unknown outcomes, rate limits, logs, personal data and reconciliation.'
  return {
    path: 'guides/before-you-go-live.md',
    title,
    summary,
    section: 'guides',
    text: paragraphs(
      `# ${title}`,
      summary,
      '## Address and credentials',
      'Ask the provider for [the address and your credentials](what-the-service-does-not-have.md#address-and-credentials), and keep the client secret on your server. A token ends: [sign in again](authentication.md#renew-in-time) before it does, and once after a `401`. {{assumption:token-expiration-unit}} {{assumption:errors}}',
      '## Questions to ask',
      'The contract only assumes an answer to these questions, and your money depends on it. Ask the provider each of them:',
      moneyQuestions(questions),
      CHECKS,
    ),
  }
}

/** The questions that the register marks: a wrong assumption can cost money. */
function moneyQuestions(questions: Questions): string {
  const ofMoney = Object.entries(questions).filter(([, question]) => question.money)
  return ofMoney.map(([id, { question }]) => `- ${prose(question)} {{assumption:${id}}}`).join('\n')
}

const CHECKS = `## Check the service

Run [the checker](checking-a-service.md#what-it-does-to-a-live-service) with \`--kind live\`. It pays nothing unless you allow it, and reports
each assumption that the service contradicts.

## Webhooks

[Register the URL](webhooks.md#register-a-url) of your live receiver: public, and \`https\`. {{assumption:webhook-url}} Store the secret, which is shown
once. If deliveries are refused, the [code says why](webhooks.md#when-every-delivery-is-refused).

## Secrets

While you [change the secret of a webhook](webhooks.md#change-the-secret), deliveries are signed with the old and the new one. {{assumption:secret-rotation}}
Give your receiver both, and remove the old one a day later. Try it once before you need it.
If a secret leaks, [change it at once](webhooks.md#change-the-secret). If the client secret leaks, tell the provider: [no operation changes
it](what-the-service-does-not-have.md#address-and-credentials).

## Unknown outcomes

Lose a response on purpose: [the sandbox](sandbox.md#let-a-request-fail) does it with \`lose-response\`. Your program must store the outcome as unknown,
and [find out](using-the-client.md#when-the-outcome-is-unknown) whether it paid. It must not send the transfer again.
Count the outcomes that are unknown, and [stop new payments](errors.md#if-it-fails-at-night) if they are many.

## Rejected transfers

A transfer that was accepted can be rejected later. {{assumption:transfer-statuses}} [Let one be rejected](sandbox.md#let-a-payment-be-rejected) in the
sandbox, and see that your program tells the payer. The [test data](test-data.md#amounts-and-keys-that-are-rejected) has an amount and a key for each reason.

## Rate limits and logs

- The source document names no limit of requests: ask for it. After a \`429\`, wait for the seconds of \`retry-after\`. {{assumption:rate-limits}} [The client](client.md#what-is-retried) does.
- Log the \`request_id\` of each error, by which the service finds it. {{assumption:errors}}
- Know [what to do at night](errors.md#if-it-fails-at-night).

## Personal data (LGPD) {#personal-data}

- Bodies of requests, responses and events have names, tax IDs, keys and accounts. So has the \`request\` of an [unknown
  outcome](using-the-client.md#when-the-outcome-is-unknown). Store only what you need.
- Do not log bodies, full URLs or credentials. The [records of the client](client.md#logs) have none of them.
- Write no data of a customer into \`message\`, \`description\` or \`additional_infos\`: payers and recipients read these texts. {{assumption:charge-fields}}
- The source document does not say [how long the service keeps data](what-the-service-does-not-have.md#everything-else): ask.

## Reconciliation

No operation returns a statement or a file (CSV), [lists transfers or shows a
balance](what-the-service-does-not-have.md#transfers-balances-and-statements-as-lists). Each day, compare the provider's account statement with what you stored, by \`end_to_end_id\`. The source document does not
say in which time zone a day of the statement ends: ask. The timestamps of the API are in UTC, {{assumption:timestamp-formats}} so a payment after 21:00 in
Brasília has the date of the next day. [Book each
payment once](webhooks.md#book-each-payment-once), whatever events report it. {{assumption:event-kinds}}`
