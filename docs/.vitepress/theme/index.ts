import { type Theme, useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import AssumptionsSwitch from './AssumptionsSwitch.vue'
import ChosenTabs from './ChosenTabs.vue'
import KeysAndMenus from './KeysAndMenus.vue'
import QuestionFilter from './QuestionFilter.vue'
import ReferencePage from './ReferencePage.vue'
import { withSearchOrder } from './search.ts'
import TryIt from './TryIt.vue'
import './style.css'
import './marks.css'
import './reference.css'
import './try-it.css'
import './print.css'

function MarkdownLink() {
  const href = withBase(`/${useData().page.value.relativePath}`)
  return h('p', { class: 'as-markdown' }, [
    h('a', { href, target: '_self' }, 'This page as Markdown'),
  ])
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => h(AssumptionsSwitch),
      'nav-screen-content-after': () => h(AssumptionsSwitch),
      'doc-footer-before': () => h(MarkdownLink),
      'layout-bottom': () => [h(ChosenTabs), h(KeysAndMenus)],
    }),
  enhanceApp({ app, siteData }) {
    app.component('QuestionFilter', QuestionFilter)
    app.component('ReferencePage', ReferencePage)
    app.component('TryIt', TryIt)
    siteData.value = withSearchOrder(siteData.value)
  },
} satisfies Theme
