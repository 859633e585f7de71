/**
 * Stories for tests of rules. A story is a list of steps, such as `create('webhook')` and `read()`. Each
 * step adds the exchange that a right service would have, and `Manner` says what is different in it.
 * `expectFindings` lets the rules read the story, and compares what they find. A story begins at
 * 2026-11-02T14:30:00Z; a response with another `date` moves the clock of the service.
 *
 * | to | write |
 * |---|---|
 * | create, read, list, update, cancel, remove a record | `webhook`, `charge`, `create(kind)`, `read()`, `webhooks()`, `charges()`, `update({ url })`, `cancel()`, `remove()` |
 * | look up, check, pay | `lookUp()`, `check()`, `payKey()`, `payCode()`, `balances('100.00')` |
 * | deliver an event, rotate a secret | `deliver({ name })`, `rotate(2)` |
 * | let time pass, send anything else | `pass(1_000)`, `call('GET /partner/user', …)` |
 * | have the service show something else | `read({ url: 'https://other.example/pix' })` |
 * | have it refuse, or lose the response | `create('webhook', {}, { refused: 'not_found' })`, `{ lost: true }` |
 * | have no Date, or no time at all | `withoutDate(step)`, `withoutTime(step)` |
 * | have another one send it | `{ by: 'customer' }` |
 *
 * @example
 * expectFindings([
 *   {
 *     title: 'it finds a webhook that is shown with another URL',
 *     story: [webhook, read({ url: 'https://other.example/pix' })],
 *     finds: ['records-shown@getWebhook'],
 *   },
 * ])
 */
export { call, signIn } from './story/call.ts'
export { type Delivered, deliver, rotate } from './story/deliveries.ts'
export {
  expectFindings,
  expectFindingsWith,
  findings,
  type Row,
  readStory,
} from './story/expect-findings.ts'
export {
  balances,
  check,
  endFields,
  listUsers,
  lookUp,
  PAYMENT,
  payCode,
  payCodeAs,
  payCodePending,
  payKey,
  readUser,
} from './story/payments.ts'
export {
  cancel,
  charge,
  charges,
  create,
  createCharge,
  createWebhook,
  read,
  remove,
  update,
  webhook,
  webhooks,
} from './story/records.ts'
export {
  inOrder,
  type Json,
  type Manner,
  pass,
  type Refusal,
  type Step,
  setAhead,
  type Who,
  withoutDate,
  withoutTime,
} from './story/story.ts'
export { codeOf, example, txId } from './story/values.ts'
