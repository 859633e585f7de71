import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, it } from 'vitest'
import type {
  GuideWebhookRequest,
  operations as guideOperations,
  paths as guidePaths,
} from '../dist/guide.d.ts'
import type {
  CodeCheck,
  ImmediateQrCodeRequest,
  operations,
  paths,
  TransferRequest,
  UpdateWebhookRequest,
  Webhook,
} from '../dist/openapi.d.ts'

const text = readFileSync(new URL('../dist/openapi.d.ts', import.meta.url), 'utf8')

it('leaves response enums open', () => {
  expectTypeOf<'NewKind'>().toExtend<CodeCheck['qrcode_type']>()
  expectTypeOf<'Static'>().toExtend<CodeCheck['qrcode_type']>()
  expect(text).toContain('qrcode_type: "Static" | "Immediate" | "DueDate" | (string & {});')
})

it('closes request enums', () => {
  expectTypeOf<UpdateWebhookRequest['status']>().toEqualTypeOf<'active' | 'inactive'>()
})

it('discriminates a transfer by its type', () => {
  const transfer = { type: 'dict', amount: '1.00', dict_key: 'k', initiation_id: 'i' } as const
  expectTypeOf(transfer).toExtend<TransferRequest>()
  // @ts-expect-error a transfer to a key requires the initiation_id of its check
  const incomplete: TransferRequest = { type: 'dict', amount: '1.00', dict_key: 'k' }
  expect(incomplete).not.toHaveProperty('initiation_id')
})

it('leaves a field with a default optional', () => {
  expectTypeOf<NonNullable<ImmediateQrCodeRequest['calendar']>>().toEqualTypeOf<{
    expiration?: number
  }>()
})

it('keeps amounts strings', () => {
  expectTypeOf<CodeCheck['final_amount']>().toEqualTypeOf<string>()
})

it('accepts the three forms of a webhook timestamp', () => {
  expectTypeOf<Webhook['created_at']>().toEqualTypeOf<string | null | { error: null }>()
})

it('distinguishes the webhook paths with and without a trailing slash', () => {
  expectTypeOf<paths['/mobile-bff/v1/partner/webhook']['get']>().toEqualTypeOf<undefined>()
  expectTypeOf<paths['/mobile-bff/v1/partner/webhook/']['get']>().toEqualTypeOf<
    operations['listWebhooks']
  >()
})

it('types the short paths of the guide', () => {
  expectTypeOf<guidePaths['/pix/key']['post']>().toEqualTypeOf<guideOperations['guideCheckKey']>()
  expectTypeOf<GuideWebhookRequest>().toEqualTypeOf<{ url: string }>()
  type Listed =
    guideOperations['guideListWebhooks']['responses'][200]['content']['application/json']
  expectTypeOf<Listed['data'][number]['created_at']>().toEqualTypeOf<Webhook['created_at']>()
  expectTypeOf<'type'>().not.toExtend<keyof Listed['data'][number]>()
})

it('shows the meaning of fields and values and the assumptions on hover', () => {
  const [, hover = ''] = text.match(/(\/\*\*(?:(?!\*\/)[\s\S])*)\*\/\s+qrcode_type:/) ?? []
  expect(hover).toContain('The kind of the code.')
  expect(hover).toContain('- `Static`: A static code.')
  expect(hover).toContain('Assumption code-kinds (assumed) for enum: Static')
  expect(text).toMatch(/Effect: once[\s\S]*?Assumption effects \(assumed\)[\s\S]*?createTransfer/)
})
