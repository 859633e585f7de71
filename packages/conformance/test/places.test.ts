import { createApp } from '@partner-payments/sandbox'
import own from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../src/run/check.ts'
import { type Body, broken, shows } from './laws/broken.ts'
import { inProcess } from './wire.ts'

/** Our contract, in which no schema has the name that it has. */
const renamed = JSON.parse(
  JSON.stringify(own).replaceAll(/"(CodeCheck|Transfer|TransferData)"/g, '"$1Shown"'),
)
const contract = JSON.parse(
  JSON.stringify(renamed).replaceAll(/(schemas\/)(CodeCheck|Transfer|TransferData)(?=[/"])/g, '$1$2Shown'),
)

test.each([
  ['end-to-end-id-form', 'createTransfer', withOtherId, 'TransferDataShown/properties/end_to_end_id'],
  ['final-amount-adds-up', 'checkCode', withAmount, 'CodeCheckShown/properties/final_amount'],
  ['transfer-envelope', 'createTransfer', (body: Body) => ({ ...body, id: 'other' }), 'TransferShown'],
] as const)('%s names the place of the contract that is checked', async (law, operation, change, place) => {
  const sandbox = await createApp({ limitsRates: false })
  onTestFinished(() => sandbox.close())
  const { findings } = await check({
    url: 'http://in.process',
    target: 'sandbox',
    contract,
    wire: broken(inProcess(sandbox.fetch), shows(operation, change)),
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    only: [law, 'example-accepted'],
    operations: [operation],
  })
  expect(findings.map((it) => `${it.law} ${it.contract}`)).toEqual([`${law} /components/schemas/${place}`])
})

function withAmount(body: Body): unknown {
  return { ...body, final_amount: '35.91' }
}

function withOtherId({ data, ...body }: Body): unknown {
  return { ...body, data: { ...data, end_to_end_id: 'E1' } }
}
