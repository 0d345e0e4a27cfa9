; The waiting sales are in the data folder, which is no part of the installation: it stays.
!macro customUnInstall
  DetailPrint "The data folder stays, with every sale that waits to be sent."
!macroend
