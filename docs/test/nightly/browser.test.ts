import { gzipSync } from 'node:zlib'
import { type Page, seriousViolations } from '@partner-payments/testing'
import { describe, expect, test } from 'vitest'
import { type Declared, eventsOf, operationsOf, referenceLink } from '../../build/contract.ts'
import {
  address,
  complaints,
  expectAccessible,
  expectToOpen,
  KINDS,
  openPages,
  page,
  site,
  startTryIt,
} from '../browser.ts'
import { behaviour, questions, readSite, whole } from '../site.ts'

openPages()

const operations = operationsOf(whole, behaviour)

test('pages open without a request to another host, an error or a breach of their policy, on screens of any width', async () => {
  const { pages } = await readSite()
  const names = namesOf(pages)
  expect(names.length).toBeGreaterThan(50)
  for (const name of names) await expectToOpen(name)
  expect(complaints).toEqual([])
})

test('axe finds no serious violation in an open form, light and wide, dark and narrow', async () => {
  await expectAccessible('operations/createTransfer.html#try-it', 'light', 1280)
  await expectAccessible('operations/createTransfer.html#try-it', 'dark', 390)
})

test('axe finds no serious violation in any page, light and wide, dark and narrow', async () => {
  const { pages } = await readSite()
  const names = namesOf(pages)
  expect(names.length).toBeGreaterThan(50)
  for (const name of names) {
    await expectAccessible(name, 'light', 1280)
    await expectAccessible(name, 'dark', 390)
  }
})

/** The pages that do not only lead to another one. */
function namesOf(pages: ReadonlyMap<string, string>): string[] {
  const isPage = ([, html]: [string, string]) => !html.includes('http-equiv="refresh"')
  return [...pages].filter(isPage).map(([name]) => name)
}

test('a page weighs at most 100 kB of JavaScript as a host compresses it, search and “Try it” 150 kB', async () => {
  let sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length))
  })
  const weight = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  const isPlain = (name: string) => name !== 'reference.html' && !name.includes('#')
  for (const name of KINDS.filter(isPlain)) {
    await page.goto('about:blank')
    sizes = []
    await page.goto(address(name), { waitUntil: 'networkidle' })
    expect(await weight(), name).toBeGreaterThan(50_000)
    expect(await weight(), name).toBeLessThan(100_000)
  }
  sizes = []
  await page.locator('#local-search button').click()
  await page.locator('#localsearch-input').fill('refund')
  await page.locator('a.result').first().waitFor()
  expect(await weight()).toBeGreaterThan(50_000)
  expect(await weight()).toBeLessThan(150_000)
  await page.goto('about:blank')
  sizes = []
  await startTryIt('createTransfer')
  await page.getByRole('button', { name: 'Send' }).waitFor()
  expect(await weight()).toBeGreaterThan(50_000)
  expect(await weight()).toBeLessThan(150_000)
})

test('the switch shows every question, on every page, and is remembered', async () => {
  await page.goto(address('guides/errors.html'))
  const notes = page.locator('.mark .notes').first()
  expect(await notes.isVisible()).toBe(false)
  await page.locator('.VPNavBar').getByRole('button', { name: 'Show assumptions' }).click()
  expect(await notes.isVisible()).toBe(true)
  for (const name of ['operations/createTransfer.html', 'reference.html']) {
    await page.goto(address(name))
    await page.locator('.VPNavBar').getByRole('button', { name: 'Hide assumptions' }).waitFor()
    await page.locator('.mark .notes').first().waitFor()
  }
})

test('a statement has one mark, which shows its questions where a reader points at it or reaches it by keyboard', async () => {
  await page.goto(address('operations/createTransfer.html'))
  // Two marks with a sentence between them belong to two statements.
  const marksSideBySide = await page.evaluate(`
    [...document.querySelectorAll('.mark + .mark')].filter((mark) => {
      const before = mark.previousSibling
      const isText = before?.nodeType === Node.TEXT_NODE
      return !isText || before.textContent.trim() === ''
    }).length
  `)
  expect(marksSideBySide).toBe(0)
  const mark = page.locator('.beside .mark').first()
  const question = mark.getByText('Which scheme does the authorization header use')
  expect(await question.isVisible()).toBe(false)
  await mark.hover()
  await question.waitFor()
  await page.mouse.move(0, 0)
  await question.waitFor({ state: 'hidden' })
  await mark.getByRole('button').focus()
  await question.waitFor()
})

test('no name in a table breaks where its cell has the width for it', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(address('guides/qr-codes.html'))
  const names = page.locator('.vp-doc td code')
  const lines = await names.evaluateAll((elements) => {
    return elements.map((element) => element.getClientRects().length)
  })
  expect(lines.length).toBeGreaterThan(6)
  expect(Math.max(...lines)).toBe(1)
})

test('the open questions can be narrowed to one basis and one resource', async () => {
  await page.goto(address('open-questions.html'))
  const shown = page.locator('section.question:visible')
  expect(await shown.count()).toBe(Object.keys(questions).length)
  await page.getByLabel('Basis').selectOption('open')
  const open = Object.keys(questions).filter((id) => questions[id]?.basis === 'open')
  expect(await shown.locator('h2').evaluateAll((found) => found.map(({ id }) => id))).toEqual(open)
  await page.getByLabel('Basis').selectOption('')
  await page.getByLabel('Resource').selectOption('transfers')
  const ids = await shown.locator('h2').evaluateAll((found) => found.map(({ id }) => id))
  expect(ids).toContain('insufficient-funds')
  expect(ids).not.toContain('webhook-url')
})

test('a page that does not exist says so, in the look of the others', async () => {
  expect((await page.goto(address('nowhere.html')))?.status()).toBe(404)
  await page.getByText('PAGE NOT FOUND').waitFor()
})

describe('“Try it”', () => {
  test('leads to the page of the sandbox, as the header of every page does', async () => {
    await startTryIt('createWebhook')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('link', { name: 'See what the webhook receives' }).click()
    await page.waitForURL(`${site.sandbox}/#webhooks`)
    for (const name of ['reference.html', 'guides/errors.html']) {
      await page.goto(address(name))
      await page.locator('header').getByRole('link', { name: 'Sandbox' }).first().click()
      await page.waitForURL(`${site.sandbox}/`)
    }
  })

  test('says what to do where no sandbox is behind the page', async () => {
    await page.route('**/mobile-bff/**', (route) => route.fulfill({ status: 404 }))
    await startTryIt('checkKey')
    await page.getByText('npx -y pnpm@12 dev').waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  })

  test('opens the next operation with the values of the response', async () => {
    await startTryIt('checkKey')
    await page.getByLabel('Identity').selectOption('customer')
    await page.getByLabel('Example').selectOption('The CNPJ of a company')
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response body' })
    const { dict_key, initiation_id } = JSON.parse((await response.textContent()) ?? '')
    await page.getByRole('list', { name: 'Next steps' }).getByText('Send a transfer').click()
    const body = page.getByRole('textbox', { name: 'Body' })
    await expect.poll(() => body.inputValue()).toContain(initiation_id)
    expect(JSON.parse(await body.inputValue())).toMatchObject({ type: 'dict', dict_key })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('201 Created').waitFor()
  })

  test('explains a refusal, and shows no response beside another example', async () => {
    await startTryIt('checkKey')
    const send = page.getByRole('button', { name: 'Send to the sandbox' })
    const body = page.getByRole('textbox', { name: 'Body' })
    await expect.poll(() => body.inputValue()).toContain('dict_key')
    await body.fill('{ "dict_key": "nobody@example.com" }')
    await send.click()
    await page.getByRole('link', { name: 'What not_found means' }).waitFor()
    await page.getByLabel('Example').selectOption('The CNPJ of a company')
    await page.getByText('404 Not Found').waitFor({ state: 'detached' })
  })

  test('signs in once, and sends nothing again for a page that the reader comes back to', async () => {
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/mobile-bff/')) sent.push(pathname.replace('/mobile-bff/v1', ''))
    })
    await startTryIt('createTransfer')
    const body = page.getByRole('textbox', { name: 'Body' })
    await expect.poll(() => body.inputValue()).toContain('"emv"')
    await body.fill('{ "edited": true }')
    await startTryIt('listUsers')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await page.goBack()
    await expect.poll(() => body.inputValue()).toBe('{ "edited": true }')
    expect(sent).toEqual(['/auth/partner/token/', '/partner/user'])
  })

  test('grows with its body, and shows as curl what was edited', async () => {
    await startTryIt('createTransfer')
    const body = page.getByRole('textbox', { name: 'Body' })
    await expect.poll(() => body.inputValue()).toContain('"emv"')
    const lines = Array.from({ length: 30 }, (_, index) => `  "field_${index}": "value"`)
    await body.fill(`{\n${lines.join(',\n')}\n}`)
    const hidden = await body.evaluate(
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    )
    expect(hidden).toBe(0)
    await page.getByText('This request as curl').click()
    const command = await page.getByRole('region', { name: 'curl' }).textContent()
    expect(command).toContain('curl "$BASE_URL/mobile-bff/v1/pix/out/"')
    expect(command).toContain('"field_29": "value"')
  })

  test('shortens the images of a list', async () => {
    await startTryIt('createImmediateQrCode')
    await page.getByRole('button', { name: 'Send' }).click()
    const response = page.getByRole('region', { name: 'Response body' })
    const { qrcode_image } = JSON.parse((await response.textContent()) ?? '')
    expect(qrcode_image.length).toBeGreaterThan(600)
    await startTryIt('listImmediateQrCodes')
    await page.getByRole('button', { name: 'Send' }).click()
    const { data } = JSON.parse((await response.textContent()) ?? '')
    expect(data[0].qrcode_image).toMatch(/^iVBOR.{19}… \(\d+ characters\)$/)
  })

  test.each(['light', 'dark'] as const)(
    'is accessible with a response: %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 390, height: 900 })
      await startTryIt('createTransfer')
      const send = page.getByRole('button', { name: 'Send to the sandbox' })
      await send.click()
      await page.getByText('201 Created').waitFor()
      expect(await seriousViolations(page)).toEqual([])
    },
  )
})

describe('the reference', () => {
  test('shows every operation with its effect, and every event, with their marks', async () => {
    const openMarked = async (declared: Parameters<typeof openSection>[0]) => {
      const section = await openSection(declared)
      await section.locator('.mark').first().waitFor({ state: 'attached' })
      return section
    }
    for (const operation of operations) {
      const section = await openMarked(operation)
      expect(await section.textContent()).toContain(`Effect: ${operation.effect}. `)
    }
    for (const event of eventsOf(whole)) await openMarked(event)
  })

  test('leads from a mark to its question', async () => {
    const [operation] = operations
    if (!operation) throw new Error('the contract has no operation')
    const section = await openSection(operation)
    const mark = section.locator('.mark:has(a[href$="#effects"])').first()
    await mark.hover()
    await mark.locator('a[href$="#effects"]').click()
    await page.locator('h2#effects').waitFor()
    expect(new URL(page.url()).hash).toBe('#effects')
  })
})

type Section = ReturnType<Page['locator']>

/** An operation in the reference, as a link from elsewhere opens it. */
async function openSection(operation: Declared): Promise<Section> {
  await page.goto(address(referenceLink(operation)))
  const [, route] = referenceLink(operation).split('#')
  const section = page.locator(`[data-section-id="${route}"]`)
  await section.getByRole('heading', { name: operation.summary }).waitFor()
  return section
}
