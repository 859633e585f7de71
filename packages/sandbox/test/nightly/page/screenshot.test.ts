import { readFileSync, writeFileSync } from 'node:fs'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { openPages, page, pay, press, sandbox, section } from '../../page/open-page.ts'

const PICTURE = new URL('../../../../../docs/home/sandbox.png', import.meta.url)
const SIZE = { width: 1280, height: 900 }

openPages()

test('it draws the picture of README.md; with SCREENSHOT=1 in the environment, it writes it', async () => {
  await page.setViewportSize(SIZE)
  await press('Receive webhooks here')
  await section('Webhooks').getByText('http').first().waitFor()
  await pay('25.00', 'Almoço')
  await pay('9990.01', 'Aluguel')
  await bePaid()
  await sandbox.worker.idle()
  await section('Transfers').getByText('rejected').first().waitFor()

  await page.locator('summary').getByText('First steps').click()
  // Its messages would cover what they are about.
  await page.evaluate("document.getElementById('said').remove()")
  const picture = await page.screenshot()
  if (process.env.SCREENSHOT) writeFileSync(PICTURE, picture)
  expect(PNG.sync.read(picture)).toMatchObject(SIZE)
  expect(PNG.sync.read(readFileSync(PICTURE))).toMatchObject(SIZE)
})

/** A shop creates a QR code, and somebody pays it. */
async function bePaid(): Promise<void> {
  const code = await sandbox.partner.qrcodes.createImmediate({
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO1001PEDIDO1001PEDIDO1001',
    amount: { original: '35.90' },
    message: 'Pedido 1001',
  })
  await fetch(`${sandbox.url}/_sandbox/qrcodes/${code.id}/pay`, { method: 'POST' })
}
