import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import { type Contract, resolve } from './contract.ts'
import { directives } from './directives.ts'
import { type Markdown, markdown } from './markdown.ts'
import type { Questions } from './marks.ts'

/** A guide: `html` is its text, without the title. */
export type Guide = { name: string; title: string; order: number; summary: string; html: string }

const FOLDER = new URL('../guides/', import.meta.url)

/** Every guide of docs/guides, in their order. Throws an Error that names the guide at fault. */
export async function readGuides(contract: Contract, questions: Questions): Promise<Guide[]> {
  const render = await markdown(directives(contract, questions))
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'))
  const guides = await Promise.all(names.map((name) => readGuide(name, contract, render)))
  return guides.sort((a, b) => a.order - b.order)
}

async function readGuide(file: string, contract: Contract, render: Markdown): Promise<Guide> {
  try {
    const url = new URL(file, FOLDER)
    const { front, body } = split(await readFile(url, 'utf8'))
    return { name: basename(file, '.md'), ...front, html: render(await include(ofPage(body), url, contract)) }
  } catch (cause) {
    throw new Error(`docs/guides/${file}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function split(text: string): { front: Omit<Guide, 'name' | 'html'>; body: string } {
  const [, front, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  const { title, order, summary } = parse(front ?? '') ?? {}
  if (typeof title !== 'string' || typeof order !== 'number' || typeof summary !== 'string')
    throw new Error('expected front matter with title, order (a number) and summary')
  return { front: { title, order, summary }, body: body ?? '' }
}

/** A guide without what is said to those alone who read its source in a clone. */
function ofPage(body: string): string {
  return body.replaceAll(/<!-- clone -->.*?<!-- \/clone -->\n*/gs, '')
}

/** Puts files and examples of the contract in as code blocks, so that what a guide shows is what the tests run. */
async function include(body: string, guide: URL, contract: Contract): Promise<string> {
  const parts = body.split(/^<!-- (include|example): (\S+) -->$/m)
  const filled = parts.map((part, index) => {
    if (index % 3 === 0) return part
    if (index % 3 === 1) return ''
    return parts[index - 1] === 'include' ? sourceBlock(new URL(part, guide)) : exampleBlock(part, contract)
  })
  return (await Promise.all(filled)).join('')
}

async function sourceBlock(file: URL): Promise<string> {
  return codeBlock(file.pathname.split('.').at(-1), await readFile(file, 'utf8'))
}

function exampleBlock(name: string, contract: Contract): string {
  const { value } = resolve(contract, `#/components/examples/${name}`)
  return codeBlock('json', JSON.stringify(value, null, 2))
}

function codeBlock(lang = '', source: string): string {
  return `\`\`\`${lang}\n${source.trimEnd()}\n\`\`\``
}
