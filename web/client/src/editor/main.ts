export type { Editor, EditorHost } from "./editor.ts"
