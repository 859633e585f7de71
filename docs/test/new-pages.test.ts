import { expect, it } from 'vitest'
import { inline } from '../build/contract.ts'
import { goLivePage } from '../build/go-live-page.ts'
import { paymentPage } from '../build/payment-page.ts'
import { sequenceDiagram } from '../build/sequence-diagram.ts'
import { behaviour, contract, questions } from './site.ts'

it('draws one payment from the contract: the look-up, the transfer, the money and both events', () => {
  const { text } = paymentPage(inline(contract), behaviour)
  const [, label] = /aria-label="([^"]*)"/.exec(text) ?? []
  expect(label).toBe(
    'One payment, step by step: You to The service: checkKey; The service to You: 200; You to The service: createTransfer; The service to You: 201; The service to The receiver: the money; The service to You: transfer.settled; The service to The receiver: transfer.received.',
  )
})

it('crosses out the response that must not be asked for again', () => {
  const lost = { from: 'a', to: 'b', text: '201', canBeLost: true }
  const safe = { from: 'a', to: 'b', text: '200' }
  const crosses = (svg: string) => svg.match(/stroke-dasharray/g)?.length ?? 0
  expect(crosses(sequenceDiagram('Both', ['a', 'b'], [lost, safe]))).toBe(1)
  expect(crosses(paymentPage(inline(contract), behaviour).text)).toBe(1)
})

it('lists before going live each question of the register that can cost money', () => {
  const { text } = goLivePage(questions)
  const ofMoney = Object.keys(questions).filter((id) => questions[id]?.money)
  expect(ofMoney).toEqual(expect.arrayContaining(['transfer-repeat', 'initiation', 'effects']))
  for (const id of ofMoney) expect(text).toContain(`{{assumption:${id}}}`)
})
