import { beforeAll, describe, expect, it } from 'vitest'
import { stateDiagram } from '../build/state-diagram.ts'
import { behaviour, readSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await readSite()
})

const page = (name: string) => site.pages.get(`behaviour/${name}.html`) ?? ''

describe('the error catalogue', () => {
  it('has a section for each code, with its statuses, what to do and an example', () => {
    const sections = page('errors').split('<h2 id="').slice(1, -1)
    const codes = sections.map((section) => section.slice(0, section.indexOf('"')))
    expect(codes.length).toBeGreaterThan(20)
    expect(codes.sort()).toEqual(Object.keys(behaviour.refusals ?? {}).sort())
    for (const section of sections) {
      expect(section).toMatch(/<strong>[45]\d\d<\/strong> from/)
      expect(section).toContain('What to do.')
      expect(section).toContain('language-json')
    }
  })

  it('ends with the rejection of a transfer that was accepted', () => {
    const last = page('errors').split('<h2 id="').at(-1)
    expect(last).toMatch(/^rejected".*AC03.*events\/transfer-rejected\.html/s)
  })

  it.each([
    { code: 'rate_limited', text: 'Yes, later and unchanged.' },
    {
      code: 'internal_error',
      text: 'Yes, later and unchanged, unless the operation has the effect <code>once</code>.',
    },
  ])('says of $code whether a transfer may be sent again', ({ code, text }) => {
    const [, section = ''] = page('errors').split(`<h2 id="${code}"`)
    expect(section.split('<h2')[0]).toContain(text)
  })

  it('marks the open question that each code rests on', () => {
    const [, section = ''] = page('errors').split('<h2 id="insufficient_funds"')
    expect(section.split('<h2')[0]).toContain('open-questions.html#insufficient-funds')
  })
})

describe('the page of a resource', () => {
  it.each([
    {
      what: 'the states as a diagram',
      name: 'immediateQrCode',
      html: '<svg class="states" role="img" aria-label="States of',
    },
    {
      what: 'each move of the diagram',
      name: 'immediateQrCode',
      html: 'pay moves ATIVA to CONCLUIDA',
    },
    {
      what: 'the initial states',
      name: 'transfer',
      html: '<code>pending</code>, <code>settled</code> or <code>rejected</code>.',
    },
    {
      what: 'no initial state where there is none',
      name: 'user',
      html: '<p><code>status</code> shows the state.</p>',
    },
    {
      what: 'the code of a refusal',
      name: 'immediateQrCode',
      html: 'refused with <a href="./../behaviour/errors.html#qrcode_paid">',
    },
    {
      what: 'the section of a fact',
      name: 'webhook',
      html: 'Fact: The source document states it in “Webhook credential”."',
    },
    {
      what: 'durations in words',
      name: 'webhook',
      html: 'retries after 5 seconds, 5 minutes, 30 minutes, 2 hours, ',
    },
    {
      what: 'the question of an assumption',
      name: 'webhook',
      html: 'open-questions.html#webhook-statuses',
    },
  ])('shows $what', ({ name, html }) => {
    expect(page(name)).toContain(html)
  })
})

describe('a state diagram', () => {
  const resource = {
    title: 'Door',
    summary: '',
    tag: '',
    operations: {},
    owner: 'partner',
  } as const

  it('is left out where no action leads to another state', () => {
    const states = { open: { meaning: '', on: { push: { to: 'open' } } } }
    expect(stateDiagram({ ...resource, states })).toBeUndefined()
  })

  it('takes its colours from the text around it', () => {
    const states = { open: { meaning: '', on: { close: { to: 'shut' } } }, shut: { meaning: '' } }
    const svg = stateDiagram({ ...resource, states })
    expect(svg).toContain('stroke="currentColor"')
    expect(svg).not.toContain('"black"')
  })
})
