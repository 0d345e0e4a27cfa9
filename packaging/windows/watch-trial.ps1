# Watches the first start after an update, from a copy in the data folder: the new version may not be able to run at all.
# The version before starts it, without a window, before it installs. Not yet tried on a real Windows.
param(
  [Parameter(Mandatory)] [string] $DataDir,
  [Parameter(Mandatory)] [string] $Before,
  [Parameter(Mandatory)] [string] $Program
)
$trial = Join-Path $DataDir 'updates\trial'
$log = Join-Path $DataDir 'updates\launcher.log'
# The installation itself, and then the 60 seconds of the trial.
$deadline = (Get-Date).AddSeconds(300)
while ((Get-Date) -lt $deadline) {
  if (-not (Test-Path $trial)) { exit 0 }
  Start-Sleep -Seconds 1
}
Add-Content $log "$((Get-Date).ToUniversalTime().ToString('s'))Z The new version was not ready. The version before is installed again."
# Windows PowerShell 5.1 has no -LeafBase.
Get-Process -Name ([IO.Path]::GetFileNameWithoutExtension($Program)) -ErrorAction SilentlyContinue | Where-Object Path -EQ $Program | Stop-Process -Force
$installer = Start-Process -FilePath $Before -ArgumentList '/S' -Wait -PassThru
if ($installer.ExitCode -ne 0) { exit 1 }
Add-Content $trial 'why=not_ready'
Move-Item -Force $trial (Join-Path $DataDir 'updates\went-back')
Start-Process -FilePath $Program -ArgumentList @('--data-dir', "`"$DataDir`"")
