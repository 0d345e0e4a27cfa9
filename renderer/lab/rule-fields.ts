import { foldDigits } from '../../shared/lib/digits.ts';
import type { LabSettings } from '../../shared/till/lab-views.ts';

/** The rules that can be typed, by group. A part of a nested setting has the setting's name in front. */
export const ruleGroups = {
  sales: ['apply_delay_ms', 'offline_window_hours', 'future_tolerance_seconds', 'reservation_ttl_minutes'],
  codes: ['otp_ttl_seconds', 'otp_max_attempts', 'otp_cooling_off_seconds', 'otp_send_budget'],
  limits: ['rate_limit_requests', 'rate_limit_per_seconds'],
  shop: ['minor_per_point', 'currency', 'default_region'],
} as const;
export type RuleGroup = keyof typeof ruleGroups;
export type RuleField = (typeof ruleGroups)[RuleGroup][number];
type Rules = Readonly<Record<RuleField, string>>;
/** The rules that were typed and not saved yet. They stand over the saved ones, whatever changes these. */
export type TypedRules = Partial<Rules>;

export function rulesOf(settings: LabSettings): Rules {
  const { otp, rate_limit: limit, conversion } = settings;
  return {
    apply_delay_ms: String(settings.apply_delay_ms),
    offline_window_hours: String(settings.offline_window_hours),
    future_tolerance_seconds: String(settings.future_tolerance_seconds),
    reservation_ttl_minutes: String(settings.reservation_ttl_minutes),
    otp_ttl_seconds: String(otp.ttl_seconds),
    otp_max_attempts: String(otp.max_attempts),
    otp_cooling_off_seconds: String(otp.cooling_off_seconds),
    otp_send_budget: String(otp.send_budget),
    rate_limit_requests: limit === null ? '' : String(limit.requests),
    rate_limit_per_seconds: limit === null ? '' : String(limit.per_seconds),
    minor_per_point: conversion === null ? '' : String(conversion.minor_per_point),
    currency: settings.currency,
    default_region: settings.default_region,
  };
}

/** What is left to save after `sent` was saved: the fields that hold another text now. */
export function typedSince(typed: TypedRules, sent: Readonly<Partial<Record<string, string>>>): TypedRules {
  return Object.fromEntries(Object.entries(typed).filter(([field, text]) => text !== sent[field]));
}

/** The rules as the control API takes them. The API says itself what is wrong. */
export function changesOf(rules: Rules): Readonly<Record<string, unknown>> {
  const hasLimit = rules.rate_limit_requests.trim() !== '' || rules.rate_limit_per_seconds.trim() !== '';
  return {
    apply_delay_ms: numberOf(rules.apply_delay_ms),
    offline_window_hours: numberOf(rules.offline_window_hours),
    future_tolerance_seconds: numberOf(rules.future_tolerance_seconds),
    reservation_ttl_minutes: numberOf(rules.reservation_ttl_minutes),
    otp: {
      ttl_seconds: numberOf(rules.otp_ttl_seconds),
      max_attempts: numberOf(rules.otp_max_attempts),
      cooling_off_seconds: numberOf(rules.otp_cooling_off_seconds),
      send_budget: numberOf(rules.otp_send_budget),
    },
    rate_limit: hasLimit
      ? { requests: numberOf(rules.rate_limit_requests), per_seconds: numberOf(rules.rate_limit_per_seconds) }
      : null,
    conversion: rules.minor_per_point.trim() === '' ? null : { minor_per_point: numberOf(rules.minor_per_point) },
    currency: rules.currency.trim().toUpperCase(),
    default_region: rules.default_region.trim().toUpperCase(),
  };
}

/** Sets every rule back to its first value. */
export const asAtFirst: Readonly<Record<string, unknown>> = {
  apply_delay_ms: null,
  offline_window_hours: null,
  future_tolerance_seconds: null,
  reservation_ttl_minutes: null,
  otp: null,
  rate_limit: null,
  conversion: null,
  currency: null,
  default_region: null,
  suspended: null,
};

/** The field of the screen that the control API means: `otp.ttl_seconds` is `otp_ttl_seconds`. */
export function fieldMeant(field: string): string {
  return field.replace(/^conversion\./, '').replace('.', '_');
}

// A text that is no number is sent as it is, because the control API refuses it and names the field.
function numberOf(typed: string): number | string {
  const value = Number(foldDigits(typed));
  return typed.trim() === '' || Number.isNaN(value) ? typed : value;
}
