/** `tpl_coffee=Coffee Circle`, as it stands in `enroll_templates`. */
export function enrollTemplateOf(text: string): { readonly template_id: string; readonly name: string } {
  const [templateId = '', ...name] = text.split('=');
  return { template_id: templateId.trim(), name: name.join('=').trim() };
}
