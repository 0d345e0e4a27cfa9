/** The label, note and error of each setting. */
export const settingsFields = {
  mode: {
    label: 'Mode',
    note: 'Sandbox is for practice. Production is for real customers.',
    wrong: 'Choose sandbox or production.',
  },
  base_url: {
    label: 'Address',
    note: 'The address of the loyalty service, including /v1.',
    wrong: 'Enter an address that begins with https:// and ends with /v1.',
  },
  api_key: {
    label: 'API key',
    note: 'From the loyalty provider. Each mode has one. Never shown again.',
    wrong: 'Copy the API key again from the loyalty provider.',
  },
  'tls.min_version': {
    label: 'TLS, at least',
    note: 'The oldest version for the connection to the service.',
    wrong: 'Enter 1.2 or 1.3.',
  },
  'tls.pins': {
    label: 'Fingerprints of the service’s key',
    note: 'From the loyalty provider: SHA-256 in base64, separated by commas. Empty: any trusted certificate.',
    wrong: 'Enter fingerprints of 43 characters and =, separated by commas. They need an https address.',
  },
  offline_window_hours: {
    label: 'Sending deadline, in hours',
    note: 'From the loyalty provider. The top bar warns before the deadline.',
    wrong: 'Enter hours from 1 to 8,760.',
  },
  shop_name: {
    label: 'Name of the shop',
    note: 'At the head of receipts and of the customers’ screen.',
    wrong: 'Use up to 48 characters.',
  },
  device_name: { label: 'Name of the till', note: 'Shown in the top bar.', wrong: 'Use up to 255 characters.' },
  device_ref: {
    label: 'Till’s code',
    note: 'Sent with every sale, and part of its reference.',
    wrong: 'Use up to 64 letters, digits, dots, dashes or underscores, without spaces.',
  },
  branch_ref: {
    label: 'Branch',
    note: 'The branch’s code at the loyalty service.',
    wrong: 'Use up to 64 letters, digits, dots, dashes or underscores, without spaces.',
  },
  employee_ref: {
    label: 'Employee',
    note: 'Saved with sales while no cashier has signed in. Optional.',
    wrong: 'Use up to 255 characters.',
  },
  locale: {
    label: 'Language',
    note: 'The language of the screen. Changes at once.',
    wrong: 'Choose a language from the list.',
  },
  'printer.address': {
    label: 'Receipt printer',
    note: 'Its address in the network. The port is 9100 if you leave it out.',
    wrong: 'Write an address such as 192.168.1.50 or printer.lan:9100.',
  },
  'printer.columns': {
    label: 'Letters on a line',
    note: '32 on narrow paper, 42 or 48 on wide paper.',
    wrong: 'Enter 32, 42 or 48.',
  },
  'printer.language': {
    label: 'Language of receipts',
    note: 'en, ar or both.',
    wrong: 'Enter en, ar or both.',
  },
  'window.kiosk': {
    label: 'Kiosk',
    note: 'The window fills the screen and cannot be closed. Changes at once.',
    wrong: 'Choose on or off.',
  },
  'window.start_at_login': {
    label: 'Open at login',
    note: 'Tillbridge opens when this user logs in. Desktop app only.',
    wrong: 'Choose on or off.',
  },
  'cashiers.sign_in': {
    label: 'Sign in to sell',
    note: 'A cashier must sign in before selling. Changes at once.',
    wrong: 'Choose on or off.',
  },
  'cashiers.lock_minutes': {
    label: 'Lock after (minutes)',
    note: 'Without a touch or a key the screen locks. 0: never.',
    wrong: 'Enter a whole number from 0 to 480.',
  },
  'window.customer_display': {
    label: 'Screen for customers',
    note: 'Customers check in there. Applies after a restart.',
    wrong: 'Choose on or off.',
  },
  'window.distance': {
    label: 'Distance to the screen',
    note: 'Far makes all words larger. Changes at once.',
    wrong: 'Choose Close, 80 cm or Far.',
  },
  currency: {
    label: 'Currency',
    note: 'Three letters, such as KWD.',
    wrong: 'Enter the three letters of a currency, such as KWD.',
  },
  'limits.max_amount_minor': {
    label: 'Largest amount',
    note: 'A larger sale needs a manager.',
    wrong: 'Enter an amount above zero.',
  },
  'limits.max_points': {
    label: 'Most points',
    note: 'More in one sale needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_stamps': {
    label: 'Most stamps',
    note: 'More in one sale needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_visits': {
    label: 'Most visits',
    note: 'More in one sale needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_amount_per_hour_minor': {
    label: 'Most money in an hour',
    note: 'More within an hour needs a manager.',
    wrong: 'Enter an amount above zero.',
  },
  'limits.max_points_per_hour': {
    label: 'Most points in an hour',
    note: 'More within an hour needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_stamps_per_hour': {
    label: 'Most stamps in an hour',
    note: 'More within an hour needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_visits_per_hour': {
    label: 'Most visits in an hour',
    note: 'More within an hour needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_rewards_per_hour': {
    label: 'Most rewards in an hour',
    note: 'Includes coupons. More needs a manager.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.max_enrollments_per_phone_per_hour': {
    label: 'Most codes to one phone',
    note: 'New enrollments of one phone within 1 hour.',
    wrong: 'Enter a whole number above zero.',
  },
  'limits.confirm_above_minor': {
    label: 'Ask again above',
    note: 'The cashier confirms a larger sale twice.',
    wrong: 'Enter an amount above zero.',
  },
  reference_prefix: {
    label: 'Prefix of references',
    note: 'Begins every reference of this till. Each shop needs its own.',
    wrong: 'Enter up to 16 letters, digits, dots, dashes or underscores.',
  },
  card_pattern: {
    label: 'Pattern of card numbers',
    note: 'A regular expression that tells cards from product barcodes.',
    wrong: 'Enter a valid regular expression.',
  },
  time_zone: { label: 'Time zone', note: 'The time zone of the shop.', wrong: 'Choose a time zone from the list.' },
  day_starts_at: {
    label: 'The business day begins',
    note: 'Earlier sales count to the day before.',
    wrong: 'Enter a time such as 05:00.',
  },
  'limits.max_queue': {
    label: 'Sales that may wait',
    note: 'At this number, Tillbridge saves no more sales.',
    wrong: 'Enter a whole number above zero.',
  },
  retention_days: {
    label: 'Days customers are saved',
    note: 'Then customers are erased from finished sales. Totals stay.',
    wrong: 'Enter whole days from 1 to 3,650.',
  },
  'backup.folder': {
    label: 'Backup folder',
    note: 'An existing folder, such as one on a share. Empty: no backup.',
    wrong: 'Enter a full path, such as /mnt/backup/till-1.',
  },
  'backup.hour': {
    label: 'Backup hour',
    note: 'Each day, as soon as possible after this hour.',
    wrong: 'Enter a whole number from 0 to 23.',
  },
  'backup.keep': {
    label: 'Number of backups',
    note: 'Tillbridge deletes older backups of this till.',
    wrong: 'Enter a whole number from 1 to 1,000.',
  },
  'update.feed': {
    label: 'Update feed',
    note: 'The https address of the folder with updates. Empty: no updates.',
    wrong: 'Enter an address that begins with https://.',
  },
  'update.hold': {
    label: 'Hold updates',
    note: 'With yes, Tillbridge installs no update.',
    wrong: 'Enter yes or no.',
  },
  'update.stage': {
    label: 'Update stage',
    note: 'When this till gets an update: first, share or last.',
    wrong: 'Enter first, share or last.',
  },
  'update.allow_downgrade': {
    label: 'Allow older versions',
    note: 'Only the settings file of store IT can allow them.',
    wrong: 'Only the settings file of store IT can allow them.',
  },
  'bridge.port': {
    label: 'Port',
    note: 'POS programs on this machine call this port.',
    wrong: 'Enter a whole number from 0 to 65535.',
  },
  enroll_templates: {
    label: 'Cards for new customers',
    note: 'The cashier’s choices, such as tpl_1=Coffee, tpl_2=Visits.',
    wrong: 'Enter each as template_id=Name, separated by commas.',
  },
  reward_goals: {
    label: 'What a reward costs',
    note: 'Each card’s goal, such as Rewards club=100 a free coffee.',
    wrong: 'Enter each as Card=100 reward, separated by commas.',
  },
  'bridge.origins': {
    label: 'Allowed web pages',
    note: 'Addresses such as https://pos.example, separated by commas. Usually empty.',
    wrong: 'Enter whole addresses such as https://pos.example, separated by commas.',
  },
  'bridge.answer_within_ms': {
    label: 'Answer within, in milliseconds',
    note: 'POS programs get an answer within this time.',
    wrong: 'Enter a whole number from 2,000 to 60,000.',
  },
};
